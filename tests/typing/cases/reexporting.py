from specs import PARAMS as PARAMS
from specs import SERVER as SERVER
from star import COMMON as COMMON
