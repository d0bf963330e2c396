"""Alternatives, and the other keywords that hold whole schemas about the same value.

Which alternative a value was meant for is told as a person would: by its tag, the property that
each alternative for an object requires with values of its own, or by the value's JSON type.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, cast

from ...json_values import member_of, text_of
from .building import (
    MISSING,
    Emitter,
    Explain,
    Explainers,
    Violations,
    found,
    indented,
    refuse_unless,
)
from .containers import inside
from .equality import Same, same
from .reading import Node
from .scalars import emit_kind, kind_of, with_integers
from .words import (
    EXCLUDED,
    ROOT,
    as_hint,
    at,
    missing,
    none_fits,
    not_in_enum,
    several_fit,
    wrong_type,
)

# --- which alternative is meant -----------------------------------------------------------


class Tag(NamedTuple):
    """The property that tells which alternative for an object is meant.

    name: its name.
    allowed: its values, in the order of the alternatives.
    branches: each of these values to the number of its alternative.
    """

    name: str
    allowed: list[object]
    branches: Mapping[Same, int]


def tag_of(branches: list[Node], explainers: Explainers) -> Tag | None:
    """The tag of alternatives, None when they have none. Those for an object are at least two."""
    objects = [
        (index, explainers.resolved(branch))
        for index, branch in enumerate(branches)
        if "object" in explainers.kinds(branch)
    ]
    if len(objects) < 2:
        return None
    for name in objects[0][1].get("properties", {}):
        tag = _tag_named(name, objects)
        if tag is not None:
            return tag
    return None


def _tag_named(name: str, objects: list[tuple[int, Node]]) -> Tag | None:
    allowed: list[object] = []
    branches: dict[Same, int] = {}
    for index, node in objects:
        values = _values_of(node, name)
        keys = [same(value) for value in values]
        if not values or not branches.keys().isdisjoint(keys):
            return None
        allowed += values
        branches.update(dict.fromkeys(keys, index))
    return Tag(name, allowed, branches)


def _values_of(node: Node, name: str) -> list[object]:
    """The scalars that a property may have which a node for objects alone requires."""
    prop = node.get("properties", {}).get(name, {})
    values = [prop["const"]] if "const" in prop else prop.get("enum", [])
    if not values or node.get("type") != ["object"] or name not in node.get("required", ()):
        return []
    return [] if any(isinstance(value, (dict, list)) for value in values) else values


# --- explaining ---------------------------------------------------------------------------


def explain_choices(node: Node, explainers: Explainers) -> list[Explain]:
    """The closures for all keywords of a node that hold schemas about the value itself."""
    explains: list[Explain] = []
    if "$ref" in node:
        explains.append(explainers.of({"$ref": node["$ref"]}))
    if "anyOf" in node:
        explains.append(_explain_alternatives(node["anyOf"], explainers, only_one=False))
    if "oneOf" in node:
        explains.append(_explain_alternatives(node["oneOf"], explainers, only_one=True))
    explains += [explainers.of(inner) for inner in node.get("allOf", ()) if inner]
    if "not" in node:
        explains.append(_explain_not(node["not"], explainers))
    if "if" in node and ("then" in node or "else" in node):
        explains.append(_explain_if(node, explainers))
    return explains


def explain_reference(name: str, explain_definition: Explain) -> Explain:
    """The closure for a reference: what it finds is kept for the same place in the same walk, so
    that references that double at each level cost no more than they are."""

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        outer = violations if type(violations) is Violations else Violations(value)
        known, place = outer.walk.known, (name, id(value), container, key, key is ROOT)
        if place in known:
            if known[place]:  # what is said once is not said again, or it would double, too
                outer.add_unsaid(known[place] or [])
            return
        known[place] = None
        outer.enter(_COST_OF_A_REFERENCE)
        known[place] = found(explain_definition, value, container, key, outer)
        outer.leave()
        violations += known[place] or ()

    return explain


_COST_OF_A_REFERENCE: Final = 16  # in elements


def _explain_alternatives(
    branches: list[Node], explainers: Explainers, *, only_one: bool
) -> Explain:
    explains = [explainers.of(branch) for branch in branches]
    taken = [with_integers(explainers.kinds(branch)) for branch in branches]
    kinds = list(dict.fromkeys(kind for branch in branches for kind in explainers.kinds(branch)))
    tag = tag_of(branches, explainers)
    wrong = wrong_type(tuple(kinds), False) if kinds else None

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        kind = kind_of(value)
        if tag is not None and kind == "object":
            index = _chosen_by_tag(tag, value, container, key, violations)
            if index is not None:
                explains[index](value, container, key, violations)
            return
        able = [index for index, allowed in enumerate(taken) if kind in allowed]
        if not able and wrong is not None:
            violations.append(wrong(value, container, key))
        elif len(able) == 1:
            explains[able[0]](value, container, key, violations)
        else:
            each = [found(explains[index], value, container, key, violations) for index in able]
            text = _verdict(each, len(branches), only_one)
            if text is not None:
                violations.append(f"{at(container, key)} {text}")

    return explain


def _chosen_by_tag(
    tag: Tag, value: object, container: str, key: str, violations: list[str]
) -> int | None:
    """The number of the alternative that an object was meant for; None, and a violation, when its
    tag is missing or unknown."""
    given = member_of(value, tag.name, MISSING)
    within = inside(container, key)
    if given is MISSING:
        text = missing(value, within, tag.name, frozenset((tag.name,)), hinted=False)
        hint = as_hint(f"it {not_in_enum(tag.allowed)}")
        violations.append(f"{text} ({hint})" if hint else text)
        return None
    scalar = kind_of(given) not in ("array", "object", "")
    index = tag.branches.get(same(given)) if scalar else None
    if index is None:
        violations.append(f"{at(within, tag.name)} {not_in_enum(tag.allowed)}")
    return index


def _verdict(each: list[list[str]], number: int, only_one: bool) -> str | None:
    """What to say of a value after each alternative has spoken; None when it fits."""
    fitting = sum(not violations for violations in each)
    if fitting > 1 and only_one:
        return several_fit(number)
    if fitting:
        return None
    nearest = min(each, key=len, default=[])
    return none_fits(number, as_hint(nearest[0]) if nearest else "")


def _explain_not(excluded: Node, explainers: Explainers) -> Explain:
    explain_excluded = explainers.of(excluded)

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        if not found(explain_excluded, value, container, key, violations):
            violations.append(f"{at(container, key)} {EXCLUDED}")

    return explain


def _explain_if(node: Node, explainers: Explainers) -> Explain:
    condition = explainers.of(node["if"])
    then, otherwise = explainers.of(node.get("then", {})), explainers.of(node.get("else", {}))

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        unmet = found(condition, value, container, key, violations)
        chosen = otherwise if unmet else then
        chosen(value, container, key, violations)

    return explain


# --- generating the check -----------------------------------------------------------------


def emit_choices(code: Emitter, node: Node, value: str, depth: int) -> list[str]:
    """Lines for all keywords of a node that hold schemas about the value itself."""
    lines: list[str] = []
    if "$ref" in node:
        lines += refuse_unless(code.call({"$ref": node["$ref"]}, value))
    if "anyOf" in node:
        lines += _emit_alternatives(code, node["anyOf"], value, depth, only_one=False)
    if "oneOf" in node:
        lines += _emit_alternatives(code, node["oneOf"], value, depth, only_one=True)
    for inner in node.get("allOf", ()):
        lines += code.lines(inner, value, depth + 1)
    if "not" in node:
        lines += refuse_unless(f"not {_fits(code, node['not'])}({value})")
    if "if" in node and ("then" in node or "else" in node):
        lines += [f"if {_fits(code, node['if'])}({value}):"]
        lines += indented(code.lines(node.get("then", {}), value, depth + 1) or ["pass"])
        lines += ["else:", *indented(code.lines(node.get("else", {}), value, depth + 1) or ["pass"])]
    return lines


def _fits(code: Emitter, node: Node) -> str:
    """The name of what answers for sure whether a value fits. A check only knows what is sure to
    fit, and where something must not fit that is not enough."""
    return code.constant(code.explainers.fits(node))


def _emit_alternatives(
    code: Emitter, branches: list[Node], value: str, depth: int, *, only_one: bool
) -> list[str]:
    """A chain of conditions over the JSON types, each with the alternatives that take it."""
    explainers = code.explainers
    taken = [with_integers(explainers.kinds(branch)) for branch in branches]
    tag = tag_of(branches, explainers)
    lines: list[str] = []
    for kind in _CHAIN:
        able = [branch for branch, allowed in zip(branches, taken) if kind in allowed]
        if kind == "number" and only_one and able:  # an integer may be a whole-number float
            able = [branch for branch, allowed in zip(branches, taken) if "integer" in allowed]
        if not able:
            continue
        word = "elif" if lines else "if"
        if kind == "object" and tag is not None:
            chosen = _emit_tagged(code, branches, tag, value, depth)
        elif len(able) == 1 and _is_written_once(able[0], explainers):
            chosen = code.lines(able[0], value, depth + 1)
        elif len(able) == 1:  # what is written in two places doubles at each level
            chosen = refuse_unless(code.call(able[0], value))
        elif only_one:
            chosen = refuse_unless(f"{_fits(code, {'oneOf': able})}({value})")
        else:
            chosen = refuse_unless(" or ".join(code.call(branch, value) for branch in able))
        lines += [f"{word} {emit_kind(kind, value)}:", *indented(chosen or ["pass"])]
    return [*lines, "else: return False"] if lines else ["return False"]


def _is_written_once(branch: Node, explainers: Explainers) -> bool:
    """Whether a chain over the JSON types mentions an alternative once, or a plain number's twice."""
    kinds = set(explainers.kinds(branch))
    return len(kinds) == 1 and ("number" not in kinds or not _CHOICES & branch.keys())


_CHOICES: Final = frozenset(("$ref", "anyOf", "oneOf", "allOf", "not", "if"))
_CHAIN: Final = ("string", "object", "array", "integer", "number", "boolean", "null")

_LONGEST_CHAIN: Final = 12


def _emit_tagged(
    code: Emitter, branches: list[Node], tag: Tag, value: str, depth: int
) -> list[str]:
    """Conditions over the values of a tag; for many alternatives a table of functions."""
    explainers = code.explainers
    variable = f"v{depth}"
    lines = [f"{variable} = {value}.get({code.constant(tag.name)}, {code.constant(MISSING)})"]
    if not all(isinstance(member, str) for member in tag.allowed):
        return refuse_unless(f"{_fits(code, {'oneOf': branches})}({value})")
    lines += refuse_unless(f"type({variable}) is str")
    if len(tag.branches) > _LONGEST_CHAIN:
        named = {text_of(cast(str, key)[1:]): branches[i] for key, i in tag.branches.items()}
        return lines + refuse_unless(code.call_by_name(named, variable, value))
    word = "if"
    for index in dict.fromkeys(tag.branches.values()):
        branch = explainers.resolved(branches[index])
        names = [cast(str, key)[1:] for key, at_ in tag.branches.items() if at_ == index]
        values = [code.constant(text_of(name)) for name in names]
        condition = " or ".join(f"{variable} == {each}" for each in values)
        inner = code.lines(branch, value, depth + 1, frozenset((tag.name,)))
        lines += [f"{word} {condition}:", *indented(inner or ["pass"])]
        word = "elif"
    return [*lines, "else: return False"]
