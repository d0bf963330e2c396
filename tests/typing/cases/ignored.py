"""The error code can be ignored."""

from dsh_tools import InferArgs, schema

IGNORED = schema({"path": {"type": "str"}})  # type: ignore[dsh-schema]
OTHER_CODE = schema({"path": {"type": "str"}})  # type: ignore[arg-type]
# E: "path": unknown type "str", did you mean "string"?  [dsh-schema]
# E: Unused "type: ignore" comment  [unused-ignore]
# N: Error code "dsh-schema" not covered by "type: ignore[arg-type]" comment
AT_THE_KEY = schema(
    {
        "path": {
            "type": "string",
            "requird": True,  # type: ignore[dsh-schema]
        }
    }
)


def ignored(args: InferArgs[int]) -> None:  # type: ignore[dsh-schema]
    pass


UNUSED = schema({"path": {"type": "string"}})  # type: ignore[dsh-schema]
# E: Unused "type: ignore" comment  [unused-ignore]
