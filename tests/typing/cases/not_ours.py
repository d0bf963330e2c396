"""Functions of others that have our names."""

from typing import Any, reveal_type

import dsh_tools
from dsh_tools.schema.spec import Spec


def schema(spec: object) -> int:
    return 1


def prop(spec: object) -> int:
    return 1


def define_tool(*, parameters: object) -> int:
    return 1


class InferArgs:
    def __class_getitem__(cls, item: object) -> Any:
        return int


A = schema({"path": {"type": "str"}})
B = prop({"typ": "str"})
define_tool(parameters={"path": {"type": "str"}})
reveal_type(A)  # R: int
reveal_type(B)  # R: int


class Own:
    def schema(self, spec: object) -> str:
        return ""


C = Own().schema({"path": {"typ": "string"}})
reveal_type(C)  # R: str
