"""Random JSON Schemas of all keywords, and values that are often near what they ask for."""

import random
from typing import Any

NAMES = ["a", "b", "kind", "größe", "a.b", ""]
TEXTS = ["", "a", "b", "ab", "abc", "1", "日本", "😀"]
NUMBERS = [0, 1, 2, 3, -1, 1.0, 0.5, 2.5, 10**20]
SCALARS: list[Any] = [None, True, False, *NUMBERS, *TEXTS]
PATTERNS = ["^a", "b$", "^[a-c]+$", "(a|b)*c", r"\d", "^.$"]
TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"]


def random_value(rng: random.Random, depth: int) -> Any:
    roll = rng.random()
    if depth and roll < 0.25:
        return [random_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    if depth and roll < 0.6:
        names = rng.sample(NAMES, rng.randrange(4))
        return {name: random_value(rng, depth - 1) for name in names}
    return rng.choice(SCALARS)


def random_document(rng: random.Random) -> Any:
    """A schema with definitions that refer to each other and to themselves."""
    document = random_schema(rng, 3, "ABC")
    if not isinstance(document, dict):
        return document
    definitions = {name: random_schema(rng, 2, later) for name, later in _LATER.items()}
    return {**document, "$defs": definitions}


_LATER = {"A": "BC", "B": "C", "C": ""}


def random_schema(rng: random.Random, depth: int, names: str) -> Any:
    """A schema that refers to the definitions of these names, and one step into the value to all:
    without a step a definition that leads back to itself would have no meaning."""
    if rng.random() < 0.06:
        return rng.random() < 0.6
    schema: dict[str, Any] = {}
    for _ in range(rng.randrange(1, 4)):
        schema.update(rng.choice(_FAMILIES)(rng, depth, names))
    return schema


def _of_values(rng: random.Random, depth: int, names: str) -> dict[str, Any]:
    kinds = rng.sample(TYPES, rng.choice([1, 1, 2, 3]))
    return rng.choice(
        [
            {"type": kinds[0] if len(kinds) == 1 else kinds},
            {"enum": [rng.choice([random_value(rng, 1), "a", 1]) for _ in range(rng.randrange(1, 4))]},
            {"const": rng.choice([random_value(rng, 1), 1, "a", None])},
        ]
    )


def _of_scalars(rng: random.Random, depth: int, names: str) -> dict[str, Any]:
    bounds: list[tuple[str, list[Any]]] = [
        ("minimum", [0, 1, 0.5]),
        ("maximum", [2, 1.0, 0]),
        ("exclusiveMinimum", [0, -0.5]),
        ("exclusiveMaximum", [3, 1]),
        ("multipleOf", [1, 2, 0.5]),
        ("minLength", [1, 2, 2.0]),
        ("maxLength", [0, 1, 2]),
        ("pattern", PATTERNS),
    ]
    keyword, values = rng.choice(bounds)
    return {keyword: rng.choice(values)}


def _of_arrays(rng: random.Random, depth: int, names: str) -> dict[str, Any]:
    inner = [random_schema(rng, depth - 1, "ABC") if depth else True for _ in range(2)]
    return rng.choice(
        [
            {"items": inner[0]},
            {"prefixItems": inner, "items": inner[0]},
            {"prefixItems": inner},
            {"minItems": 1, "maxItems": rng.randrange(1, 3)},
            {"uniqueItems": True},
            {"contains": inner[0]},
            {"contains": inner[0], "minContains": rng.randrange(3), "maxContains": 2},
        ]
    )


def _of_objects(rng: random.Random, depth: int, names: str) -> dict[str, Any]:
    keys = rng.sample(NAMES, 2)
    inner = {key: random_schema(rng, depth - 1, "ABC") if depth else True for key in keys}
    here = random_schema(rng, depth - 1, names) if depth else True
    return rng.choice(
        [
            {"properties": inner},
            {"properties": inner, "required": keys[:1]},
            {"properties": inner, "additionalProperties": False},
            {"properties": inner, "additionalProperties": inner[keys[0]]},
            {"required": keys},
            {"additionalProperties": inner[keys[0]]},
            {"patternProperties": {rng.choice(PATTERNS): inner[keys[0]]}},
            {
                "patternProperties": {rng.choice(PATTERNS): inner[keys[0]]},
                "additionalProperties": rng.choice([False, inner[keys[1]]]),
            },
            {"propertyNames": rng.choice([{"maxLength": 1}, {"enum": ["a", "b"]}, {"pattern": "a"}])},
            {"minProperties": 1, "maxProperties": 2},
            {"dependentRequired": {keys[0]: keys[1:]}},
            {"dependentSchemas": {keys[0]: here}},
        ]
    )


def _of_choices(rng: random.Random, depth: int, names: str) -> dict[str, Any]:
    if not depth:
        return _reference(rng, names)
    inner = [random_schema(rng, depth - 1, names) for _ in range(3)]
    return rng.choice(
        [
            {"anyOf": inner[: rng.randrange(1, 4)]},
            {"oneOf": inner[: rng.randrange(1, 4)]},
            {"allOf": inner[:2]},
            {"not": inner[0]},
            {"if": inner[0], "then": inner[1], "else": inner[2]},
            {"if": inner[0], "then": inner[1]},
            {rng.choice(["anyOf", "oneOf"]): _tagged(rng, inner)},
            _reference(rng, names),
        ]
    )


def _reference(rng: random.Random, names: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{rng.choice(names)}"} if names else {}


def _tagged(rng: random.Random, inner: list[Any]) -> list[Any]:
    """Alternatives for objects, told apart by a tag, and sometimes one for something else."""
    branches: list[Any] = [
        {
            "type": "object",
            "properties": {"kind": {"const": tag}, "a": each},
            "required": ["kind", *rng.choice([[], ["a"]])],
            **rng.choice([{}, {"additionalProperties": False}]),
        }
        for tag, each in zip(["a", "b", 1], inner)
    ]
    return [*branches, *rng.choice([[], [{"type": "null"}], [{"type": "array", "items": inner[0]}]])]


_FAMILIES = [_of_values, _of_values, _of_scalars, _of_arrays, _of_objects, _of_objects, _of_choices]
