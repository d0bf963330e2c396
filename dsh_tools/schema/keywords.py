"""The keywords of a spec: which types each belongs to, and in which order they come out.

All are spelt as in JSON Schema draft 2020-12. Data alone; what is wrong with a value of one says
`faults`.
"""

from collections.abc import Mapping
from typing import Final

TYPES: Final = ("string", "number", "integer", "boolean", "object", "array", "null")

_ANY: Final = ("const", "title", "examples", "deprecated")
_NUMBER: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_STRING: Final = ("minLength", "maxLength", "pattern", "format")
_ARRAY: Final = ("minItems", "maxItems", "uniqueItems")
_OBJECT: Final = ("additionalProperties", "propertyNames", "minProperties", "maxProperties")

ALTERNATIVES: Final = ("anyOf", "oneOf")
INSTEAD_OF_TYPE: Final = (*ALTERNATIVES, "$ref")
DEFINITIONS: Final = ("$defs", "definitions")
ROOT_ONLY: Final = ("$schema", "$id", "$comment", *DEFINITIONS)

KEYWORDS: Final = (
    *("type", "description", "enum", "default", "properties", "required", "items"),
    *(*_ANY, *_NUMBER, *_STRING, *_ARRAY, *_OBJECT, *INSTEAD_OF_TYPE),
)
"""The keywords of a property, in the order in which they come out of the lowering. Those of a
root alone come after them."""

RANK: Final[Mapping[object, int]] = {
    keyword: rank for rank, keyword in enumerate((*KEYWORDS, *ROOT_ONLY))
}

TYPES_OF: Final[Mapping[object, tuple[str, ...]]] = {
    **dict.fromkeys(_NUMBER, ("number", "integer")),
    **dict.fromkeys(_STRING, ("string",)),
    "format": ("string", "number", "integer"),
    **dict.fromkeys(("items", *_ARRAY), ("array",)),
    **dict.fromkeys(("properties", *_OBJECT), ("object",)),
}
"""The types that a keyword belongs to, for those that do not belong to all."""

ONLY_JSON_SCHEMA: Final = frozenset(
    (
        *("allOf", "not", "if", "then", "else", "dependentSchemas", "dependentRequired"),
        *("prefixItems", "contains", "minContains", "maxContains", "patternProperties"),
        *("unevaluatedItems", "unevaluatedProperties", "dependencies", "additionalItems"),
        *("$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef"),
        *("$vocabulary", "contentEncoding", "contentMediaType", "contentSchema"),
        *("readOnly", "writeOnly"),
    )
)
"""Keywords of JSON Schema that a spec does not have and a raw tool takes."""

OTHER_NAMES: Final[Mapping[str, str]] = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
    "dict": "object",
    "map": "object",
    "list": "array",
    "tuple": "array",
    "obj": "object",
    "arr": "array",
    "none": "null",
    "nonetype": "null",
    "nil": "null",
    "undefined": "null",
    "desc": "description",
    "doc": "description",
    "label": "title",
    "choices": "enum",
    "options": "enum",
    "values": "enum",
    "literal": "const",
    "example": "examples",
    "fields": "properties",
    "element": "items",
    "ge": "minimum",
    "gte": "minimum",
    "min": "minimum",
    "minvalue": "minimum",
    "le": "maximum",
    "lte": "maximum",
    "max": "maximum",
    "maxvalue": "maximum",
    "gt": "exclusiveMinimum",
    "lt": "exclusiveMaximum",
    "step": "multipleOf",
    "divisibleby": "multipleOf",
    "regex": "pattern",
    "regexp": "pattern",
    "unique": "uniqueItems",
    "union": "anyOf",
    "ref": "$ref",
    "defs": "$defs",
    "id": "$id",
    "comment": "$comment",
}
"""What people write who come from Python, JSON Schema or another library, without its
underscores and in small letters."""
