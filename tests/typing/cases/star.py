from specs import *
