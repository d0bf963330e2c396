"""Do the arguments of a call fit the schema, and if not, what does the model have to mend?

One compiler, of JSON Schema. A valid call takes a generated check and allocates nothing per
property; whatever the check does not vouch for is explained, and fits when there is no violation.
"""

from collections.abc import Mapping
from marshal import dumps
from typing import Any, Final, cast

from ...errors import ToolArgsError
from ...json_values import elements_of, float_of, items_of, member_of, text_of
from ...vocabulary import SchemaProp, SchemaSpec
from ..lowering import json_schema_of
from ..spec import require_spec
from .building import MISSING, Explain, Violations
from .compiler import Check, Compiled, compile_check
from .reading import Node, Reading, read_schema
from .scalars import kind_of, search_of
from .words import ROOT, no_json, too_deep, wrong_root

# A check costs about as much to generate as two hundred explanations of a small call, so a tool
# that is called a few times is explained and only one in use is compiled.
_EXPLAINED_CALLS: Final = 8


class Validator:
    """The compiled form of one JSON Schema.

    check: True when a value is sure to fit. False means "ask `violations`": for values that do not
        fit, for unusual ones (subclasses, whole-number floats for integers), and always before the
        check is generated.
    unchecked: the places in the schema that constrain nothing.
    """

    __slots__ = ("check", "unchecked", "_reading", "_compiled", "_explain", "_of_objects", "_walks", "_valid_calls")

    check: Check

    def __init__(self, json_schema: object, *, formats: bool = False) -> None:
        """`formats` is whether "format" is checked, as it is in a spec."""
        self.check = _not_sure
        self._reading = read_schema(json_schema, formats=formats)
        self.unchecked = self._reading.unchecked
        self._compiled = Compiled(self._reading)
        self._explain: Explain | None = None
        self._of_objects = self._reading.root.get("type") == ["object"]
        self._walks = True
        self._valid_calls = 0

    def violations(self, value: object) -> list[str]:
        """Every violation, in declaration order, depth first; empty when the value fits."""
        if self._of_objects and not issubclass(type(value), dict):
            return [wrong_root(value)]
        explain = self._explain
        if explain is None:
            root = self._reading.root
            self._walks = bool(self._reading.definitions) or _most_loops(root) > 1
            explain = self._explain = self._compiled.of_root(root)
        violations = Violations(value) if self._walks else []
        try:
            explain(value, "", ROOT, violations)
        except RecursionError:
            return [too_deep()]
        except Exception:  # of a key or a class that compares as it likes, or a walk without end
            return [no_json()]
        if not violations and self.check is _not_sure:
            self._valid_calls += 1
            if self._valid_calls >= _EXPLAINED_CALLS:
                self.compile()
        return [*violations] if self._walks else violations

    def compile(self) -> None:
        """Generate the check now."""
        try:
            self.check = compile_check(self._reading, self._compiled)
        except RecursionError:  # the caller stands deep in the stack: the next one may not
            self._valid_calls = 0

    def accept(self, value: object) -> object:
        """The value as a tool's body gets it: an integer is an `int`, all else unchanged.

        Raises ToolArgsError when it does not fit.
        """
        if self.check(value):
            return value
        violations = self.violations(value)
        if violations:
            raise ToolArgsError(violations)
        try:
            return _Integers(self._reading, self._compiled).inside(self._reading.root, value)
        except RecursionError:
            raise ToolArgsError([too_deep()]) from None


def _not_sure(value: object) -> bool:
    return False


def _most_loops(node: Node) -> int:
    """How many containers that are walked through stand around each other at most; a keyword other
    than those of a simple object or list counts for two."""
    if not node.keys() <= _SIMPLE:
        return 2
    inner = [*node.get("properties", {}).values(), *([node["items"]] if "items" in node else [])]
    return ("items" in node) + max(map(_most_loops, inner), default=0)


_SIMPLE: Final = frozenset(
    (
        *("type", "enum", "const", "properties", "required", "items", "format", "pattern"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
    )
)

# --- by content ---------------------------------------------------------------------------


def validate_args(
    spec: Mapping[str, SchemaProp] | SchemaSpec | type[object], args: object
) -> list[str]:
    """The violations of `args` against a spec or a TypedDict class, in declaration order; empty
    when they fit.

    Never raises on any `args`, never changes them and never prints a value of theirs. Raises
    SchemaError when the spec is not well formed. What a spec compiles to is kept for the next
    call, under the spec's content, so that an edited spec counts as another one.
    """
    content = _content_of(spec)
    validator = _validators.get((content, True)) if content is not None else None
    if validator is None:
        validator = Validator(json_schema_of(require_spec(spec)), formats=True)
        _remember(content, True, validator)
    return [] if validator.check(args) else validator.violations(args)


def validate_value(json_schema: object, value: object) -> list[str]:
    """The violations of any value against any JSON Schema; empty when it fits. The paths in them
    start at the value, which is called "arguments" itself.

    All keywords of draft 2020-12 are checked but those that `unchecked_keywords` names; these, and
    "format", constrain nothing. Never raises, never changes the value and never prints it. What a
    schema compiles to is kept for the next call, under its content.
    """
    validator = _raw_validator(json_schema)
    return [] if validator.check(value) else validator.violations(value)


def unchecked_keywords(json_schema: object) -> list[str]:
    """The places in a JSON Schema that `validate_value` does not check, each as a reference and a
    reason ("#/properties/a/pattern: look-behind …"); empty when all is checked. Never raises."""
    return list(_raw_validator(json_schema).unchecked)


def _raw_validator(json_schema: object) -> Validator:
    content = _content_of(json_schema)
    validator = _validators.get((content, False)) if content is not None else None
    if validator is None:
        validator = Validator(json_schema)
        _remember(content, False, validator)
    return validator


_MOST_VALIDATORS: Final = 256
_validators: dict[tuple[bytes, bool], Validator] = {}  # single operations on a dict are atomic


def _content_of(schema: object) -> bytes | None:
    """The content of a schema, None for what has no bytes: a TypedDict class, or no schema at all.
    A plain dict can be edited behind our back and cannot be referred to weakly, so that only its
    content tells. Version 4 of marshal writes other content as other bytes, 1, 1.0 and True too,
    and what stands in several places once."""
    try:
        return dumps(cast(Any, schema), 4)
    except ValueError:
        return None


def _remember(content: bytes | None, formats: bool, validator: Validator) -> None:
    """Keep a validator, and forget the oldest ones."""
    if content is None:
        return
    _validators[content, formats] = validator
    while len(_validators) > _MOST_VALIDATORS:
        _validators.pop(next(iter(_validators.copy())), None)


# --- whole numbers ------------------------------------------------------------------------


class _Integers:
    """Makes whole-number floats in integers' places `int`, in a value that fits. What needs no
    change is the same object, what does is copied."""

    def __init__(self, reading: Reading, compiled: Compiled) -> None:
        self._definitions = reading.definitions
        self._compiled = compiled
        self._known: dict[tuple[int, int], tuple[object, object]] = {}

    def inside(self, node: Node, value: object) -> object:
        """The value as a node has it. What is known is kept with the value, whose id is its own
        only while it lives: references that double at each level are followed once."""
        place = id(node), id(value)
        if place not in self._known:
            self._known[place] = value, value  # for a reference that leads to itself
            self._known[place] = value, self._converted(node, value)
        return self._known[place][1]

    def _converted(self, node: Node, value: object) -> object:
        kind = kind_of(value)
        if kind == "integer" and isinstance(value, float) and self._takes_integers(node):
            return int(float_of(value))
        if kind == "array":
            value = self._in_items(node, value)
        elif kind == "object":
            value = self._in_members(node, value)
        for also in self._choices(node, value):
            value = self.inside(also, value)
        return value

    def _choices(self, node: Node, value: object) -> list[Node]:
        """The schemas about the value itself that it fits, and was meant for."""
        found = list(node.get("allOf", ()))
        if "$ref" in node:
            found.append(self._definitions[node["$ref"]])
        for branches in (node.get("anyOf", ()), node.get("oneOf", ())):
            fitting = (branch for branch in branches if self._compiled.fits(branch)(value))
            found += [branch for branch, _ in zip(fitting, range(1))]
        if "if" in node and ("then" in node or "else" in node):
            is_met = self._compiled.fits(node["if"])(value)
            found.append(node.get("then", {}) if is_met else node.get("else", {}))
        for name, inner in node.get("dependentSchemas", {}).items():
            if issubclass(type(value), dict) and member_of(value, name, MISSING) is not MISSING:
                found.append(inner)
        return found

    def _in_items(self, node: Node, value: object) -> object:
        prefix, items = node.get("prefixItems", []), node.get("items")
        if not prefix and not items:
            return value
        elements = list(elements_of(value))
        converted = [
            self.inside(prefix[index] if index < len(prefix) else items or {}, element)
            for index, element in enumerate(elements)
        ]
        changed = any(new is not old for new, old in zip(converted, elements))
        return converted if changed else value

    def _in_members(self, node: Node, value: object) -> object:
        changes: dict[object, object] = {}
        properties, others = node.get("properties", {}), node.get("additionalProperties")
        for name, inner in properties.items():
            member = member_of(value, name, MISSING)
            if member is not MISSING:
                changes[name] = self.inside(inner, member)
        patterns = [
            (search_of(pattern), inner)
            for pattern, inner in node.get("patternProperties", {}).items()
        ]
        if others or patterns:
            for key, member in items_of(value):
                also = [inner for search, inner in patterns if search(text_of(key))]
                if not also and others and key not in properties:
                    also = [others]
                for inner in also:
                    member = changes[key] = self.inside(inner, changes.get(key, member))
        changed = any(member_of(value, key, MISSING) is not new for key, new in changes.items())
        return {**dict(items_of(value)), **changes} if changed else value

    def _takes_integers(self, node: Node) -> bool:
        if not {"type", "enum", "const"} & node.keys():
            return False
        kinds = self._compiled.kinds(node)
        return "integer" in kinds and "number" not in kinds
