"""The rooms stand in a line, and a module imports only from its left."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dsh_tools
import pytest
from dsh_tools import vocabulary

ROOT = Path(__file__).parents[2]
PACKAGE = Path(dsh_tools.__file__).parent
LINE = (
    "vocabulary",
    "errors",
    "json_values",
    "wire",
    "spec_faults",
    "typed_dicts",
    "content",
    "schema",
    "json_schema",
    "generated",
    "validation",
    "typed_source",
    "waterfall",
    "define",
    "pipeline",
    "presentation",
    "registry",
    "adapters",
    "providers",
    "render",
    "targets",
    "vendoring",
    "__init__",
    "cli",
    "__main__",
)
ADAPTERS_MAY_IMPORT = {"vocabulary", "errors", "json_values", "wire"}
PATHS = [
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if "mypy_plugin" not in path.parts  # runs inside mypy, beside the line
]


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every import at run time with its level: (0, "json.decoder"), (1, "errors")."""
    for node in at_run_time(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.level, node.module
        elif isinstance(node, ast.ImportFrom):
            names = (alias.name for alias in node.names)
            yield from ((node.level, name if name in LINE else "__init__") for name in names)


def at_run_time(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, but for what stands under `if TYPE_CHECKING`."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            for other in child.orelse:
                yield from at_run_time(other)
        else:
            yield from at_run_time(child)


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_a_module_imports_only_from_its_left(path: Path) -> None:
    depth = len(path.relative_to(PACKAGE).parts)
    for level, name in imports(path):
        if level:
            assert level == depth, f"{name}: siblings in a folder never import each other"
            assert LINE.index(name.split(".")[0]) < LINE.index(room(path)), name


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_a_module_imports_nothing_but_the_standard_library(path: Path) -> None:
    for level, name in imports(path):
        if not level:
            assert name.split(".")[0] in sys.stdlib_module_names, name


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("adapters/*.py")), ids=name_of)
def test_adapters_know_the_words_and_nothing_else(path: Path) -> None:
    assert {name for level, name in imports(path) if level} <= ADAPTERS_MAY_IMPORT


def test_the_line_names_every_module() -> None:
    assert {room(path) for path in PATHS} == set(LINE)


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
    "dsh_tools.typed_dicts",
    "dataclasses",
    "difflib",
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
    assert "dsh_tools.registry" in loaded
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
