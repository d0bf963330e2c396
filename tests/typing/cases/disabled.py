"""The error code can be switched off."""

# mypy: disable-error-code="dsh-schema"

from dsh_tools import InferArgs, schema

PARAMS = schema({"path": {"type": "str"}})
COMPREHENSION = schema({name: {"type": "string"} for name in "ab"})


def wrong(args: InferArgs[int]) -> None:
    pass
