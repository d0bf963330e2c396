"""Arrays and objects: how many members, which, and what each of them is."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, TypeAlias

from ...json_values import elements_of, items_of, length_of, member_of, text_of
from .building import (
    MANY_ELEMENTS,
    MISSING,
    Emitter,
    Explain,
    Explainers,
    Violations,
    between,
    found,
    indented,
    may_hint,
    refuse_unless,
)
from .equality import has_equal
from .reading import Node
from .scalars import search_of
from .words import (
    EQUAL_ITEMS,
    ROOT,
    Describe,
    at,
    left_out,
    missing,
    no_text_key,
    shown_path,
    too_few_contained,
    too_many,
    undeclared,
    wrong_type,
)

# --- how many -----------------------------------------------------------------------------


def _emit_counts(code: Emitter, node: Node, noun: str, value: str) -> list[str]:
    given: Any = node
    bounds = between(code, given.get(f"min{noun}"), f"len({value})", given.get(f"max{noun}"))
    return [line for condition in bounds for line in refuse_unless(condition)]


def _explain_counts(node: Node, noun: str) -> Explain | None:
    given: Any = node
    fewest, most = given.get(f"min{noun}", 0), given.get(f"max{noun}")
    if fewest == 0 and most is None:
        return None

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        count = length_of(value) if noun == "Items" else dict.__len__(value)  # type: ignore[arg-type]  # it is a dict
        if count < fewest:
            text = too_many(f"min{noun}", fewest)
        elif most is not None and count > most:
            text = too_many(f"max{noun}", most)
        else:
            return
        violations.append(f"{at(container, key)} {text} (it has {count})")

    return explain


# --- a look at a member -------------------------------------------------------------------

Look: TypeAlias = tuple[type | None, frozenset[type], Describe, Explain]
"""How to look at the values of a node. Most need no more than a look at their type: there is one
of which every value fits (None: there is none), and there are those of which no value does, and
what describes them. All other values are explained."""


def look(node: Node, explainers: Explainers, *, optional: bool = False) -> Look:
    kinds = node.get("type", [])
    explain = explainers.of(node, optional=optional)
    if not kinds:
        return None, frozenset(), wrong_type(("null",), False), explain
    foreign = _JSON_CLASSES.difference(*(_CLASSES[kind] for kind in kinds))
    only_type = node.keys() == {"type"} and len(kinds) == 1
    fitting = _FITTING_CLASS.get(kinds[0]) if only_type else None
    return fitting, foreign, wrong_type(tuple(kinds), optional), explain


_JSON_CLASSES: Final[frozenset[type]] = frozenset((str, int, float, bool, dict, list, type(None)))
_CLASSES: Final[Mapping[str, frozenset[type]]] = {
    "string": frozenset((str,)),
    "number": frozenset((int, float)),  # a float may be infinite
    "integer": frozenset((int, float)),
    "boolean": frozenset((bool,)),
    "object": frozenset((dict,)),
    "array": frozenset((list,)),
    "null": frozenset((type(None),)),
}
_FITTING_CLASS: Final[Mapping[str, type]] = {
    "string": str,
    "number": int,
    "integer": int,
    "boolean": bool,
    "object": dict,
    "array": list,
    "null": type(None),
}

# --- arrays -------------------------------------------------------------------------------


def emit_array(code: Emitter, node: Node, value: str, depth: int) -> list[str]:
    """Lines for a value that is a list."""
    lines = _emit_counts(code, node, "Items", value)
    if node.get("uniqueItems"):
        lines += refuse_unless(f"not {code.constant(has_equal)}({value})")
    prefix = node.get("prefixItems", [])
    for index, inner in enumerate(prefix):
        inside = [f"v{depth} = {value}[{index}]", *code.lines(inner, f"v{depth}", depth + 1)]
        lines += [f"if len({value}) > {index}:", *indented(inside)]
    if node.get("items"):
        lines += _emit_items(code, node["items"], value, len(prefix), depth)
    if "contains" in node:
        contained: Node = {"contains": node["contains"]}
        contained["minContains"] = node.get("minContains", 1)
        if "maxContains" in node:
            contained["maxContains"] = node["maxContains"]
        lines += refuse_unless(f"{code.constant(code.explainers.fits(contained))}({value})")
    return lines


def _emit_items(code: Emitter, items: Node, value: str, start: int, depth: int) -> list[str]:
    code.loops += 1
    inside = code.lines(items, f"v{depth}", depth + 1)
    code.loops -= 1
    elements = f"{value}[{start}:]" if start else value
    return _loop(code, value, f"for v{depth} in {elements}:", inside)


def _loop(code: Emitter, value: str, head: str, inside: list[str]) -> list[str]:
    """A loop over the members of a value, which are counted when it stands in another one."""
    if not inside:
        return []
    counted = [f"n += len({value})", *refuse_unless(f"n <= {MANY_ELEMENTS}")] if code.loops else []
    return [*counted, head, *indented(inside)]


def explain_array(node: Node, explainers: Explainers) -> Explain | None:
    """The closure for values that are lists, None when there is nothing to say of any."""
    parts = [
        _explain_counts(node, "Items"),
        _explain_unique if node.get("uniqueItems") else None,
        _explain_items(node, explainers),
        _explain_contains(node, explainers),
    ]
    return in_turn(parts)


def in_turn(parts: list[Explain | None]) -> Explain | None:
    """One closure for several; None when there are none."""
    given = [part for part in parts if part is not None]
    if len(given) < 2:
        return given[0] if given else None

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        for part in given:
            part(value, container, key, violations)

    return explain


def _explain_unique(value: object, container: str, key: str, violations: list[str]) -> None:
    if has_equal(value):
        violations.append(f"{at(container, key)} {EQUAL_ITEMS}")


def _explain_items(node: Node, explainers: Explainers) -> Explain | None:
    prefix = [explainers.of(inner) for inner in node.get("prefixItems", [])]
    if not prefix and not node.get("items"):
        return None
    if prefix:
        return _explain_tuple(prefix, explainers.of(node.get("items", {})))
    fitting, foreign, describe, explain_item = look(node.get("items", {}), explainers)

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        path = "" if key is ROOT else shown_path(container + key)
        if type(violations) is Violations:
            violations.enter(length_of(value))
        for index, item in enumerate(elements_of(value)):
            kind = type(item)
            if kind is fitting:
                continue
            elif kind in foreign:
                violations.append(describe(item, path, f"[{index}]"))
            else:
                explain_item(item, path, f"[{index}]", violations)
        if type(violations) is Violations:
            violations.leave()

    return explain


def _explain_tuple(prefix: list[Explain], explain_item: Explain) -> Explain:
    """The closure for lists whose first items are each of a kind of their own."""

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        path = "" if key is ROOT else shown_path(container + key)
        if type(violations) is Violations:
            violations.enter(length_of(value))
        for index, item in enumerate(elements_of(value)):
            explain_one = prefix[index] if index < len(prefix) else explain_item
            explain_one(item, path, f"[{index}]", violations)
        if type(violations) is Violations:
            violations.leave()

    return explain


def _explain_contains(node: Node, explainers: Explainers) -> Explain | None:
    if "contains" not in node:
        return None
    explain_item = explainers.of(node["contains"])
    fewest, most = node.get("minContains", 1), node.get("maxContains")

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        path = "" if key is ROOT else shown_path(container + key)
        count = sum(
            not found(explain_item, item, path, f"[{index}]", violations)
            for index, item in enumerate(elements_of(value))
        )
        if count < fewest or most is not None and count > most:
            violations.append(f"{at(container, key)} {too_few_contained(fewest, most)}")

    return explain


# --- objects ------------------------------------------------------------------------------


def emit_object(
    code: Emitter, node: Node, value: str, depth: int, known: frozenset[str]
) -> list[str]:
    """Lines for a value that is a dict. Properties in `known` were looked at already."""
    lines = _emit_counts(code, node, "Properties", value)
    required = set(node.get("required", ()))
    properties = node.get("properties", {})
    for name, inner in properties.items():
        if name not in known:
            lines += _emit_member(code, inner, value, name, name in required, depth)
    for name in node.get("required", ()):
        if name not in properties:
            lines += refuse_unless(f"{code.constant(name)} in {value}")
    lines += _emit_dependents(code, node, value, depth)
    return lines + _emit_others(code, node, value, depth)


def _emit_member(
    code: Emitter, node: Node, members: str, name: str, required: bool, depth: int
) -> list[str]:
    """The lines for a property. What is missing is fetched as a value that fits when it is
    optional, and otherwise as one that fits no type: either is faster than to look whether it is
    there, and far faster than a KeyError."""
    key = code.constant(name)
    fetched = _fetched(code, node, members, key, required)
    if fetched is None:
        inside = code.lines(node, f"v{depth}", depth + 1)
        if required:
            there = refuse_unless(f"{key} in {members}")
            return [*there, f"v{depth} = {members}[{key}]", *inside] if inside else there
        if not inside:
            return []
        return [f"if {key} in {members}:", *indented([f"v{depth} = {members}[{key}]", *inside])]
    if node.keys() == {"type"} and node["type"][0] in _MENTIONED_ONCE and len(node["type"]) == 1:
        return code.lines(node, fetched, depth)
    return [f"v{depth} = {fetched}", *code.lines(node, f"v{depth}", depth + 1)]


_MENTIONED_ONCE: Final = ("string", "integer", "boolean", "null")


def _fetched(code: Emitter, node: Node, members: str, key: str, required: bool) -> str | None:
    """The expression that fetches a property, or None when no value can stand for a missing one."""
    typed = "type" in node or "enum" in node or "const" in node
    if required:
        if not typed:
            return None
        is_null = "null" in code.explainers.kinds(node)
        return f"{members}.get({key}, {code.constant(MISSING)})" if is_null else f"{members}.get({key})"
    if not typed:
        return None
    fits = code.explainers.fits(node)
    for candidate in _candidates(node):
        if fits(candidate):
            return f"{members}.get({key}, {code.constant(candidate)})"
    return None


def _candidates(node: Node) -> list[object]:
    """Scalars of which one is likely to fit a node, of exact JSON types."""
    likely: list[object] = [None, "", 0, False, *node.get("enum", [])[:1], node.get("const")]
    likely += [node.get("minimum"), node.get("maximum"), "a" * min(node.get("minLength", 0), 100)]
    return [each for each in likely if each is None or type(each) in (str, int, bool)]


def _emit_dependents(code: Emitter, node: Node, value: str, depth: int) -> list[str]:
    lines = []
    for name, needed in node.get("dependentRequired", {}).items():
        there = " and ".join(f"{code.constant(each)} in {value}" for each in needed)
        if there:
            lines += refuse_unless(f"{code.constant(name)} not in {value} or {there}")
    for name, inner in node.get("dependentSchemas", {}).items():
        inside = code.lines(inner, value, depth + 1)
        if inside:
            lines += [f"if {code.constant(name)} in {value}:", *indented(inside)]
    return lines


def _emit_others(code: Emitter, node: Node, value: str, depth: int) -> list[str]:
    """The lines for keys, and for the values of those that are not declared."""
    declared, others = frozenset(node.get("properties", ())), node.get("additionalProperties", {})
    patterns = node.get("patternProperties", {})
    if "never" in others and not patterns and "propertyNames" not in node:
        return refuse_unless(f"{code.constant(declared)}.issuperset({value})")
    if not declared and not patterns and "propertyNames" not in node and _is_bare(others):
        return _emit_bare_map(code, others, value)
    key, member = f"v{depth}", f"v{depth + 1}"
    code.loops += 1
    inside = code.lines(node.get("propertyNames", {}), key, depth + 2)
    undeclared = code.lines(others, member, depth + 2)
    conditions = [f"{key} not in {code.constant(declared)}"] if declared and undeclared else []
    for pattern, inner in patterns.items():
        matches = f"{code.constant(search_of(pattern))}({key})"
        lines = code.lines(inner, member, depth + 2)
        inside += [f"if {matches}:", *indented(lines)] if lines else []
        conditions.append(f"not {matches}")
    if conditions and undeclared:
        undeclared = [f"if {' and '.join(conditions)}:", *indented(undeclared)]
    inside += undeclared
    code.loops -= 1
    if inside:
        inside = [*refuse_unless(f"type({key}) is str"), *inside]
    return _loop(code, value, f"for {key}, {member} in {value}.items():", inside)


def _is_bare(node: Node) -> bool:
    """Whether a look at the class of a value tells that it fits."""
    return node.keys() == {"type"} and not {"number", "array", "object"} & set(node["type"])


def _emit_bare_map(code: Emitter, node: Node, value: str) -> list[str]:
    """The lines for a map of plain scalars, whose loops run inside the interpreter: `join` takes
    texts alone."""
    classes = frozenset(each for kind in node["type"] for each in _CLASSES[kind]) - {float}
    return [
        f"{code.constant('')}.join({value})",
        *refuse_unless(f"{code.constant(classes)}.issuperset(map(type, {value}.values()))"),
    ]


def explain_object(node: Node, explainers: Explainers) -> Explain | None:
    """The closure for values that are dicts, None when there is nothing to say of any."""
    parts = [
        _explain_counts(node, "Properties"),
        _explain_members(node, explainers),
        _explain_dependents(node, explainers),
        _explain_others(node, explainers),
    ]
    return in_turn(parts)


def inside(container: str, key: str) -> str:
    """The container of the members of an object."""
    return f"{shown_path(container + key)}." if container or key and key is not ROOT else ""


_Field: TypeAlias = tuple[str, bool, type | None, frozenset[type], Describe, Explain]
"""A property as `_explain_members` looks at it: its name, whether it is required, and the `Look`. A
plain tuple is taken apart in half the time of a named one."""


def _explain_members(node: Node, explainers: Explainers) -> Explain | None:
    properties, required = node.get("properties", {}), dict.fromkeys(node.get("required", []))
    declared = frozenset([*properties, *required])
    if not declared:
        return None
    fields: list[_Field] = [
        (name, True, *look(inner, explainers))
        if name in required
        else (name, False, *_look_at_optional(inner, explainers))
        for name, inner in properties.items()
    ]
    free: Look = (None, frozenset(), wrong_type(("null",), False), explainers.of({}))
    fields += [(name, True, *free) for name in required if name not in properties]

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        within = "" if key is ROOT else inside(container, key)
        get = value.get if type(value) is dict else partial(member_of, value)
        for name, needed, fitting, foreign, describe, explain_member in fields:
            member = get(name, MISSING)
            kind = type(member)
            if kind is fitting:
                continue
            if member is MISSING:
                if needed:
                    hinted = may_hint(violations)
                    violations.append(missing(value, within, name, declared, hinted))
            elif kind in foreign:
                violations.append(describe(member, within, name))
            else:
                explain_member(member, within, name, violations)

    return explain


def _look_at_optional(node: Node, explainers: Explainers) -> Look:
    """How to look at a property that may be left out, which null often means."""
    fitting, foreign, describe, explain = look(node, explainers, optional=True)

    def explain_optional(value: object, container: str, key: str, violations: list[str]) -> None:
        before = len(violations)
        explain(value, container, key, violations)
        if value is None and len(violations) > before:
            violations[before] = left_out(violations[before])

    has_words = not node or "type" in node
    return fitting, foreign, describe, explain if has_words else explain_optional


def _explain_dependents(node: Node, explainers: Explainers) -> Explain | None:
    needs = node.get("dependentRequired", {})
    schemas = {
        name: explainers.of(inner) for name, inner in node.get("dependentSchemas", {}).items()
    }
    if not needs and not schemas:
        return None

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        for name, needed in needs.items():
            if member_of(value, name, MISSING) is MISSING:
                continue
            for each in needed:
                if member_of(value, each, MISSING) is MISSING:
                    text = missing(value, inside(container, key), each, frozenset(), False)
                    violations.append(text)
        for name, explain_all in schemas.items():
            if member_of(value, name, MISSING) is not MISSING:
                explain_all(value, container, key, violations)

    return explain


def _explain_others(node: Node, explainers: Explainers) -> Explain | None:
    """The closure for keys, and for the values of those that are not declared."""
    declared = frozenset(node.get("properties", ()))
    others, names = node.get("additionalProperties"), node.get("propertyNames")
    patterns = [
        (search_of(pattern), explainers.of(inner))
        for pattern, inner in node.get("patternProperties", {}).items()
    ]
    if not others and not names and not patterns:
        return None
    explain_other = None if not others or "never" in others else explainers.of(others)
    explain_name = explainers.of(names) if names else None
    is_closed = others is not None and "never" in others

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        within = inside(container, key)
        if type(violations) is Violations:
            violations.enter(dict.__len__(value))  # type: ignore[arg-type]  # it is a dict
        for given, member in items_of(value):
            if not issubclass(type(given), str):
                violations.append(f"{at(container, key)} {no_text_key(given)}")
                continue
            name = text_of(given)
            if explain_name is not None:
                _explain_name(explain_name, name, within, violations)
            matched = False
            for search, explain_matched in patterns:
                if search(name):
                    matched = True
                    explain_matched(member, within, name, violations)
            if matched or name in declared:
                continue
            if is_closed:
                hinted = may_hint(violations)
                violations.append(undeclared(value, within, name, declared, hinted))
            elif explain_other is not None:
                explain_other(member, within, name, violations)
        if type(violations) is Violations:
            violations.leave()

    return explain


def _explain_name(
    explain: Explain, name: str, within: str, violations: list[str]
) -> None:
    """Say of a key what its schema says of it as a text."""
    of_name = Violations(name)  # a walk of its own: the member stands at the same path
    explain(name, within, name, of_name)
    violations.extend(f"the name of {text}" for text in of_name)
