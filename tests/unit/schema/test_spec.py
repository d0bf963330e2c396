from typing import Any

from dsh_tools import InferArgs, prop, schema


def test_a_spec_comes_back_as_the_same_plain_dict() -> None:
    spec: Any = {"path": {"type": "string", "required": True}}
    checked: Any = schema(spec)
    assert checked is spec
    assert type(checked) is dict


def test_a_property_comes_back_as_the_same_plain_dict() -> None:
    server: Any = {"type": "object", "properties": {"host": {"type": "string"}}}
    assert prop(server) is server


def test_infer_args_is_a_dict_type_at_run_time() -> None:
    infer_args: Any = InferArgs  # subscribed by a type checker's rules only in annotations
    inferred = infer_args[schema({"path": {"type": "string"}})]
    assert inferred == dict[str, object]
    assert (inferred | None) == (dict[str, object] | None)
