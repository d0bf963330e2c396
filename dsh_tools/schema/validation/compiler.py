"""One schema put together: its closures that explain, and the source of its check."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from ..generated import compile_function
from .building import Explain, Explainers, Violations, indented, refuse_unless
from .choices import emit_choices, explain_choices, explain_reference
from .containers import emit_array, emit_object, explain_array, explain_object
from .reading import TYPES, Node, Reading
from .scalars import (
    Rules,
    emit_kind,
    emit_number,
    emit_text,
    emit_values,
    kind_of,
    plain_scalar,
    rules_of,
    with_integers,
)
from .words import NEVER, NO_JSON, ROOT, Describe, at, not_in_enum, shown_path, wrong_type

Check: TypeAlias = Callable[[object], bool]

_DEEPEST_BUILDING: Final = 12
_OF_OBJECTS: Final = frozenset(
    (
        *("type", "properties", "required", "additionalProperties", "patternProperties"),
        *("propertyNames", "minProperties", "maxProperties"),
    )
)

# --- explaining ---------------------------------------------------------------------------


class Compiled:
    """The closures of one schema, each built when it is first asked for."""

    def __init__(self, reading: Reading) -> None:
        self._definitions = reading.definitions
        self._built: dict[tuple[int, bool], tuple[Node, Explain]] = {}  # by the id, kept alive
        self._kinds: dict[str, list[str]] = {}
        self._depth = 0

    def of(self, node: Node, *, optional: bool = False) -> Explain:
        """The closure of a node; `optional` is whether the value's key may be left out."""
        built = self._built.get((id(node), optional))
        if built is not None:
            return built[1]
        if self._depth >= _DEEPEST_BUILDING:
            return self._later(lambda: self.of(node, optional=optional))
        self._depth += 1
        try:
            explain = self._build(node, optional)
        finally:
            self._depth -= 1
        self._built[id(node), optional] = node, explain
        return explain

    def of_root(self, root: Node) -> Explain:
        """The closure of a schema as a whole, for values that are known to be objects when it takes
        no others."""
        if root.keys() <= _OF_OBJECTS and root.get("type") == ["object"]:
            return explain_object(root, self) or _explain_nothing
        return self.of(root)

    def fits(self, node: Node) -> Check:
        """Whether a value fits a node, in its every detail."""
        explain = self.of(node)

        def fits(value: object) -> bool:
            violations = Violations(value)
            explain(value, "", ROOT, violations)
            return not violations

        return fits

    def resolved(self, node: Node) -> Node:
        """What a node leads to that is a reference and nothing else; any other is itself."""
        seen = set[str]()
        while node.keys() == {"$ref"} and node["$ref"] not in seen:
            seen.add(node["$ref"])
            node = self._definitions[node["$ref"]]
        return node

    def kinds(self, node: Node) -> list[str]:
        """The JSON types of the values that may fit a node, in the schema's order; all of them
        when nothing says."""
        if "type" in node:
            return node["type"]
        if "const" in node or "enum" in node:
            values = [node["const"]] if "const" in node else node["enum"]
            return list(dict.fromkeys(map(_kind_of_allowed, values)))
        if "$ref" in node:
            return self._kinds_of_definition(node["$ref"])
        branches = node.get("anyOf", node.get("oneOf"))
        if branches:
            kinds = [kind for branch in branches for kind in self.kinds(branch)]
            return list(dict.fromkeys(kinds))
        return [] if "never" in node else list(TYPES)

    def _kinds_of_definition(self, name: str) -> list[str]:
        if name not in self._kinds:
            self._kinds[name] = list(TYPES)  # for a reference that leads to itself
            self._kinds[name] = self.kinds(self._definitions[name])
        return self._kinds[name]

    def _build(self, node: Node, optional: bool) -> Explain:
        if not node:
            return _explain_nothing
        if "never" in node:
            return _explain_never
        if node.keys() == {"$ref"}:
            definition = self._definitions[node["$ref"]]
            return explain_reference(node["$ref"], self._later(lambda: self.of(definition)))
        return _explain(node, self, optional)

    def _later(self, build: Callable[[], Explain]) -> Explain:
        """A closure that is built when it is called: definitions lead to each other, and building
        one that stands deep takes more of the stack than there may be."""

        def explain(value: object, container: str, key: str, violations: list[str]) -> None:
            build()(value, container, key, violations)

        return explain


def _kind_of_allowed(value: object) -> str:
    kind = kind_of(value)
    return "number" if kind == "integer" and isinstance(value, float) else kind


def _explain_nothing(value: object, container: str, key: str, violations: list[str]) -> None:
    return None


def _explain_never(value: object, container: str, key: str, violations: list[str]) -> None:
    violations.append(f"{at(container, key)} {NEVER}")


def _explain(node: Node, compiled: Compiled, optional: bool) -> Explain:
    """The closure for a node that says something."""
    choices = explain_choices(node, compiled)
    kinds = node.get("type")
    plain = not choices and not {"enum", "const"} & node.keys()
    if kinds in (["array"], ["object"]) and plain:
        return _explain_container(node, compiled, optional)
    rules = {kind: rules_of(node, kind) for kind in TYPES}
    said = rules["null"]  # what is asked of every value
    inside = {
        "array": explain_array(node, compiled),
        "object": explain_object(node, compiled),
    }
    allowed = None if kinds is None else with_integers(kinds)
    describe = wrong_type(tuple(kinds or ()), optional) if kinds else _no_type

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        kind = kind_of(value)
        if allowed is not None and kind not in allowed:
            violations.append(describe(value, container, key))
            return
        asked = rules.get(kind)
        if not kind and said:
            violations.append(f"{at(container, key)} {said[0].text} ({NO_JSON})")
        if asked:
            _explain_rules(asked, plain_scalar(value, kind), container, key, violations)
        explain_inside = inside.get(kind)
        if explain_inside is not None:
            explain_inside(value, container, key, violations)
        for explain_choice in choices:
            explain_choice(value, container, key, violations)

    return _with_short_cut(node, kinds, choices, explain)


def _no_type(value: object, container: str, key: str) -> str:
    raise AssertionError("a node without a type takes every type")


def _explain_rules(
    rules: Rules, value: object, container: str, key: str, violations: list[str]
) -> None:
    for rule in rules:
        if not rule.fits(value):
            hint = rule.hint(value)
            text = f"{at(container, key)} {rule.text}"
            violations.append(f"{text} ({hint})" if hint else text)


def _explain_container(node: Node, compiled: Compiled, optional: bool) -> Explain:
    """The closure for a node that takes arrays alone, or objects alone."""
    describe: Describe = wrong_type(tuple(node["type"]), optional)
    if node["type"] == ["array"]:
        explain_items = explain_array(node, compiled) or _explain_nothing

        def explain_list(value: object, container: str, key: str, violations: list[str]) -> None:
            if not issubclass(type(value), list):
                violations.append(describe(value, container, key))
            else:
                explain_items(value, container, key, violations)

        return explain_list
    explain_members = explain_object(node, compiled) or _explain_nothing

    def explain_dict(value: object, container: str, key: str, violations: list[str]) -> None:
        if not issubclass(type(value), dict):
            violations.append(describe(value, container, key))
        else:
            explain_members(value, container, key, violations)

    return explain_dict


def _with_short_cut(
    node: Node, kinds: list[str] | None, choices: list[Explain], explain: Explain
) -> Explain:
    """The closure behind a look at whether there is anything to explain: for the two nodes that
    most arguments have beside those of which a look at the class tells."""
    if kinds == ["string"] and node.keys() == {"type", "enum"}:
        members = frozenset(member for member in node["enum"] if type(member) is str)
        not_allowed = f'" {not_in_enum(node["enum"])}'

        def explain_text(value: object, container: str, key: str, violations: list[str]) -> None:
            if type(value) is not str:
                explain(value, container, key, violations)
            elif value not in members:
                violations.append(f'"{shown_path(container + key)}{not_allowed}')

        return explain_text
    if kinds == ["number"] and node.keys() == {"type"}:

        def explain_float(value: object, container: str, key: str, violations: list[str]) -> None:
            if type(value) is not float or value - value != 0.0:
                explain(value, container, key, violations)

        return explain_float
    return explain


# --- generating the check -----------------------------------------------------------------

# CPython allows 20 nested loops and 100 levels of indentation in one function.
_DEEPEST_FUNCTION: Final = 12
_JSON_CLASSES: Final = frozenset((str, int, float, bool, dict, list, type(None)))


class _Source:
    """The source of a check while it is written.

    Each function takes the value `v0`, `n`, one more than the members of nested containers seen so
    far, and `m`, what references have found. It returns False, or the new `n`.
    """

    def __init__(self, compiled: Compiled, definitions: Mapping[str, Node]) -> None:
        self.explainers: Explainers = compiled
        self.constants: dict[str, object] = {}
        self.loops = 0
        self._definitions = definitions
        self._functions: list[str] = []
        self._called: dict[int, str] = {}  # by the id of a node, which the schema keeps alive
        self._references: dict[str, str] = {}
        self._unwritten: list[str] = []

    def constant(self, value: object) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = value
        return name

    def check_of(self, root: Node) -> Check:
        """The generated check of the whole schema."""
        lines = self.lines(root, "v0", 1)
        while self._unwritten:
            self._write_reference(self._unwritten.pop())
        memory = ["m = {}"] if self._references else []
        # Keys that compare as they like may raise what they like.
        guarded = ["try:", *indented([*memory, *lines, "pass"]), "except Exception:"]
        name = self._function([*guarded, "    return False"], "True", "v0, n=1, m=None")
        return compile_function(name, "\n".join(self._functions), self.constants)

    def lines(
        self, node: Node, value: str, depth: int, known: frozenset[str] = frozenset()
    ) -> list[str]:
        if not node:
            return []
        if "never" in node:
            return ["return False"]
        if depth >= _DEEPEST_FUNCTION:
            return [f"n = {self.call(node, value)}", *refuse_unless("n")]
        if node.keys() == {"$ref"}:
            return [f"n = {self.call(node, value)}", *refuse_unless("n")]
        return [*self._own_lines(node, value, depth, known), *emit_choices(self, node, value, depth)]

    def call(self, node: Node, value: str) -> str:
        if node.keys() == {"$ref"}:
            return f"{self._reference(node['$ref'])}({value}, n, m)"
        if id(node) not in self._called:
            self._called[id(node)] = self._function(self.lines(node, "v0", 1))
        return f"{self._called[id(node)]}({value}, n, m)"

    def call_by_name(self, nodes: Mapping[str, Node], name: str, value: str) -> str:
        functions = {
            key: self._function([f"n = {self.call(node, 'v0')}"]) for key, node in nodes.items()
        }
        table = f"t{len(self._functions)}"
        members = (f"{self.constant(key)}: {function}" for key, function in functions.items())
        self._functions.append(f"{table} = {{{', '.join(members)}}}\n")
        never = self._function([], "False")
        return f"{table}.get({name}, {never})({value}, n, m)"

    # --- functions ------------------------------------------------------------------------

    def _function(self, lines: list[str], answer: str = "n", formal: str = "v0, n, m") -> str:
        """Add a function with that body and answer, and return its name."""
        name = f"f{len(self._functions)}"
        body = "".join(f"    {line}\n" for line in lines)
        self._functions.append(f"def {name}({formal}):\n{body}    return {answer}\n")
        return name

    def _reference(self, name: str) -> str:
        """The function of a definition, written later: definitions lead to each other."""
        if name not in self._references:
            self._references[name] = f"r{len(self._references)}"
            self._unwritten.append(name)
        return self._references[name]

    def _write_reference(self, name: str) -> None:
        """A definition's function keeps what it found of a value, so that references that double
        at each level are followed once. Of one that leads to itself, without a step into the value,
        it is not sure."""
        reference = self._references[name]
        body = self.call(self._definitions[name], "v0")
        lines = [
            f"k = {self.constant(reference)}, id(v0)",
            "if k in m: return m[k] and n",
            "m[k] = False",
            f"m[k] = found = {body}",
        ]
        inside = "".join(f"    {line}\n" for line in lines)
        self._functions.append(f"def {reference}(v0, n, m):\n{inside}    return found\n")

    # --- what a node itself says ----------------------------------------------------------

    def _own_lines(
        self, node: Node, value: str, depth: int, known: frozenset[str]
    ) -> list[str]:
        kinds = self._told_kinds(node)
        if kinds is None:
            return self._lines_for_some(node, value, depth, known)
        conditions, inside = [], []
        for kind in kinds:
            lines = self._container_lines(node, kind, value, depth, known)
            condition = self._condition(node, kind, value)
            if lines:
                inside.append((condition, lines))
            else:
                conditions.append(condition)
        if not inside:
            return refuse_unless(" or ".join(conditions))
        if len(inside) == 1 and not conditions:
            return [*refuse_unless(inside[0][0]), *inside[0][1]]
        lines = []
        for condition, within in inside:
            lines += [f"{'elif' if lines else 'if'} {condition}:", *indented(within)]
        refused = " or ".join(conditions) or "False"
        return [*lines, f"elif not ({refused}): return False"]

    def _told_kinds(self, node: Node) -> list[str] | None:
        """The types of which a node takes values, None when it takes all of them."""
        if not {"type", "enum", "const"} & node.keys():
            return None
        kinds = self.explainers.kinds(node)
        return [kind for kind in kinds if kind != "integer" or "number" not in kinds]

    def _lines_for_some(
        self, node: Node, value: str, depth: int, known: frozenset[str]
    ) -> list[str]:
        """The lines for a node that takes every type, and asks something of some."""
        lines: list[str] = []
        for kind in ("string", "number", "array", "object"):
            conditions = self._conditions(node, kind, value)
            within = refuse_unless(" and ".join(conditions)) if conditions else []
            within += self._container_lines(node, kind, value, depth, known)
            if within:
                word = "elif" if lines else "if"
                lines += [f"{word} {emit_kind(kind, value)}:", *indented(within)]
        if not lines:
            return []
        classes = self.constant(_JSON_CLASSES)
        return [*lines, f"elif type({value}) not in {classes}: return False"]

    def _condition(self, node: Node, kind: str, value: str) -> str:
        conditions = [emit_kind(kind, value), *self._conditions(node, kind, value)]
        return " and ".join(conditions)

    def _conditions(self, node: Node, kind: str, value: str) -> list[str]:
        if kind in ("array", "object"):
            if not {"enum", "const"} & node.keys():
                return []
            rules = rules_of(node, kind)
            return [f"{self.constant(rule.fits)}({value})" for rule in rules]
        conditions = emit_values(self, node, kind, value)
        if kind in ("integer", "number"):
            conditions += emit_number(self, node, value)
        if kind == "string":
            conditions += emit_text(self, node, value)
        return conditions

    def _container_lines(
        self, node: Node, kind: str, value: str, depth: int, known: frozenset[str]
    ) -> list[str]:
        if kind == "array":
            return emit_array(self, node, value, depth)
        return emit_object(self, node, value, depth, known) if kind == "object" else []


def compile_check(reading: Reading, compiled: Compiled) -> Check:
    """The generated check of a schema. `generated.source_of` shows its source."""
    return _Source(compiled, reading.definitions).check_of(reading.root)
