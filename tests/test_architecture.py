"""Six rooms in a line: a module imports from rooms above its own and, in its room, from its left."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dsh_tools
import pytest
from dsh_tools import vocabulary

ROOT = Path(__file__).parents[1]
PACKAGE = Path(dsh_tools.__file__).parent

ROOMS: dict[str, tuple[str, ...]] = {
    "": ("vocabulary", "errors", "json_values"),
    "schema": (
        "pattern_syntax",
        "patterns",
        "formats",
        "keywords",
        "fitting",
        "faults",
        "hints",
        "typed_dicts",
        "spec",
        "lowering",
        "generated",
        "validation.equality",
        "validation.words",
        "validation.reading",
        "validation.building",
        "validation.scalars",
        "validation.containers",
        "validation.choices",
        "validation.compiler",
        "validation.validator",
        "type_tree",
        "typed_source",
    ),
    "calls": (
        "waterfall",
        "content",
        "outcome",
        "define",
        "gate",
        "review",
        "pipeline",
        "presentation",
        "registry",
        "steps",
    ),
    "adapters": ("normalising", "wire", "openai", "anthropic", "gemini", "mcp", "acp", "terminal"),
    "commands": ("targets", "providers", "vendoring", "cli"),
    "mypy_plugin": (
        "names",
        "reports",
        "lowered",
        "type_builder",
        "constants",
        "spec_reader",
        "naming",
        "signatures",
        "hooks",
        "entry",
    ),
}
"""Each room with its modules from left to right. The words stand in the package itself."""

SIBLINGS_IMPORT_ONLY = {"adapters": {"normalising", "wire"}}
MAY_ENTER = {
    "adapters": {"", "schema", "adapters"},
    "mypy_plugin": {
        "",
        "schema.keywords",
        "schema.faults",
        "schema.lowering",
        "schema.type_tree",
        "mypy_plugin",
    },
}
"""Rooms that take less than all that stands above them: from these rooms or modules alone."""

LINE = [f"{room}.{module}".lstrip(".") for room, modules in ROOMS.items() for module in modules]
PATHS = sorted(PACKAGE.rglob("*.py"))
MODULES = [path for path in PATHS if path.stem not in ("__init__", "__main__")]


def name_of(path: Path) -> str:
    """The name of a module in the package: `schema.faults`; of a folder's `__init__` the folder's."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    return module.partition(".")[0] if module.partition(".")[0] in ROOMS else ""


def imports(path: Path) -> Iterator[str | None]:
    """What a module imports at run time of this package, by its name there; None for anything
    that stands outside of it. A folder's `__init__` counts as the names taken from it."""
    for node in at_run_time(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        inside = path.relative_to(PACKAGE).parent.parts
        if node.level > len(inside) + 1:
            yield None
            continue
        base = [*inside[: len(inside) + 1 - node.level], *(node.module or "").split(".")]
        holder = ".".join(filter(None, base))
        for alias in node.names:
            inner = f"{holder}.{alias.name}".lstrip(".")
            yield inner if is_module(inner) else holder


def is_module(name: str) -> bool:
    path = PACKAGE.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def at_run_time(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, but for what stands under `if TYPE_CHECKING`."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            for other in child.orelse:
                yield from at_run_time(other)
        else:
            yield from at_run_time(child)


def test_the_rooms_name_every_module() -> None:
    assert sorted(LINE) == sorted(map(name_of, MODULES))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_imports_only_from_above_and_from_its_left(path: Path) -> None:
    own = name_of(path)
    room = room_of(own)
    for name in imports(path):
        assert name is not None, f"{own} imports from outside the package"
        if name == "" and room in ("commands", "mypy_plugin"):
            continue  # the version
        assert name in LINE, f"{own} imports {name}, which is no module of the rooms"
        assert LINE.index(name) < LINE.index(own), f"{own} imports {name}"
        allowed = MAY_ENTER.get(room)
        assert allowed is None or {room_of(name), name} & allowed, f"{own} imports {name}"
        if room_of(name) == room and room in SIBLINGS_IMPORT_ONLY:
            module = name.rpartition(".")[2]
            assert module in SIBLINGS_IMPORT_ONLY[room], f"siblings never import each other: {name}"


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_a_module_imports_nothing_but_the_standard_library(path: Path) -> None:
    for node in at_run_time(ast.parse(path.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        for name in names:
            top = name.partition(".")[0]
            inside_mypy = top == "mypy" and "mypy_plugin" in path.parts
            standard = sys.stdlib_module_names | {"annotationlib"}  # which is of Python 3.14
            assert inside_mypy or top in standard, name


@pytest.mark.parametrize("room", [room for room in ROOMS if room])
def test_a_room_says_what_it_is_for_and_names_its_modules(room: str) -> None:
    text = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text("utf-8")))
    assert text is not None
    for module in ROOMS[room]:
        assert f"`{module.partition('.')[0]}`" in text, module


@pytest.mark.parametrize("module", ROOMS["adapters"][2:])
def test_an_adapter_names_what_is_public(module: str) -> None:
    tree = ast.parse((PACKAGE / "adapters" / f"{module}.py").read_text("utf-8"))
    named = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    assert named == sorted(named)
    defined = {
        ast.unparse(node.target) if isinstance(node, ast.AnnAssign) else node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AnnAssign))
    }
    assert {name for name in defined if not name.startswith("_")} == set(named)


def test_no_module_has_the_name_of_a_standard_one() -> None:
    """The plugin's folder may be on the path of mypy, which would then load ours instead."""
    for module in ROOMS["mypy_plugin"]:
        assert module not in sys.stdlib_module_names


def test_one_exec() -> None:
    found = [
        path.name
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("exec", "eval", "compile", "__import__")
    ]
    assert found == ["generated.py", "generated.py"]  # exec(compile(…))


def is_own_word(name: str) -> bool:
    source = (PACKAGE / "vocabulary.py").read_text("utf-8")
    return f"\nclass {name}(" in source or f"\n{name}: TypeAlias = " in source


def test_the_face_is_a_sorted_table_of_contents() -> None:
    assert dsh_tools.__all__ == sorted(dsh_tools.__all__)
    assert set(dsh_tools.__all__) <= set(dsh_tools.__dict__)
    words = {name for name in vars(vocabulary) if not name.startswith("_")}
    assert {word for word in words if is_own_word(word)} <= set(dsh_tools.__all__)
    body = ast.parse((PACKAGE / "__init__.py").read_text("utf-8")).body
    assert {type(node) for node in body} == {ast.Expr, ast.ImportFrom, ast.Assign}


CAN_WAIT = {
    "ast",
    "asyncio",
    "dataclasses",
    "difflib",
    "dsh_tools.adapters",
    "dsh_tools.commands",
    "dsh_tools.mypy_plugin",
    "dsh_tools.schema.hints",
    "dsh_tools.schema.typed_dicts",
    "dsh_tools.schema.type_tree",
    "dsh_tools.schema.typed_source",
    "inspect",
    "json",
    "linecache",
    "logging",
    "threading",
    "typing_extensions",
}


def test_importing_loads_nothing_that_can_wait() -> None:
    code = (
        "import sys; before = set(sys.modules); "
        "import dsh_tools; print(*(set(sys.modules) - before))"
    )
    command = [sys.executable, "-S", "-c", code]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(shown.stdout.split())
    assert "dsh_tools.calls.registry" in loaded
    assert loaded & CAN_WAIT == set()


def test_the_folder_alone_runs_a_call_in_isolation(tmp_path: Path) -> None:
    """`python -S -I` in an empty folder that holds nothing but the package."""
    import shutil

    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path.joinpath(*dsh_tools.__name__.split(".")), ignore=ignore)
    code = """
import sys
sys.path.insert(0, ".")
from dsh_tools import ToolRegistry, define_tool
registry = ToolRegistry()
registry.register(define_tool(
    name="add", description="Add two numbers.",
    parameters={"a": {"type": "number", "required": True}, "b": {"type": "number"}},
    execute=lambda args, execution: str(args["a"] + args.get("b", 0)),
))
print(registry.execute({"call_id": "1", "name": "add", "arguments": {"a": 2, "b": 3}}))
print(registry.execute({"call_id": "2", "name": "add", "arguments": {"a": "2"}})["is_error"])
"""
    command = [sys.executable, "-S", "-I", "-c", code]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines() == [
        "{'call_id': '1', 'content': [{'type': 'text', 'text': '5'}], 'is_error': False}",
        "True",
    ]
