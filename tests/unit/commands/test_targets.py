"""What a person names on the command line, and the tools found there."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dsh_tools import HarnessError
from dsh_tools.commands.targets import found_tools, sent_together

PRELUDE = """
from dsh_tools import ToolRegistry, define_tool

def make(name):
    return define_tool(name=name, description="d", parameters={}, execute=lambda a, e: None)
"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """Writes a file of a project into the working folder, and forgets its modules afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)

    def write_file(name: str, code: str) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PRELUDE + code, "utf-8")

    yield write_file
    for name in set(sys.modules) - before:
        del sys.modules[name]


def names(target: str) -> list[str]:
    return [tool.definition["name"] for tool in found_tools(target)]


def fault(target: str) -> str:
    with pytest.raises(HarnessError) as caught:
        found_tools(target)
    return str(caught.value)


def test_definitions_lists_and_registries_are_found(write: Callable[[str, str], None]) -> None:
    write(
        "found.py",
        """
one = make("one")
several = [make("two"), "no tool", make("three")]
registry = ToolRegistry()
registry.register(make("four"))
options = {"name": "no tool"}
""",
    )
    assert names("found") == ["one", "two", "three", "four"]
    assert [tool.where for tool in found_tools("found")] == [
        "found:one",
        "found:several",
        "found:several",
        "found:registry",
    ]


def test_an_attribute_narrows_the_search(write: Callable[[str, str], None]) -> None:
    write(
        "narrow.py",
        """
one = make("one")
several = (make("two"), make("three"))
class Config:
    tools = several
""",
    )
    assert names("narrow:one") == ["one"]
    assert names("narrow:several") == ["two", "three"]
    assert names("narrow:Config.tools") == ["two", "three"]
    assert names("narrow.py:one") == ["one"]


def test_a_registered_tool_is_the_registrys(write: Callable[[str, str], None]) -> None:
    write(
        "registered.py",
        """
one = make("one")
alias = one
registry = ToolRegistry()
registry.register(one)
other = ToolRegistry()
other.register(one)
""",
    )
    found = found_tools("registered")
    assert [tool.where for tool in found] == ["registered:registry", "registered:other"]
    assert all(tool.registry is not None for tool in found)
    assert [len(group) for group in sent_together(found)] == [1, 1]


def test_what_is_in_no_registry_is_sent_together(write: Callable[[str, str], None]) -> None:
    write("together.py", "one = make('one')\ntwo = [make('two')]\n")
    assert [len(group) for group in sent_together(found_tools("together"))] == [2]


def test_a_file_of_a_package_is_imported_as_its_module(write: Callable[[str, str], None]) -> None:
    write("src/app/__init__.py", "")
    write("src/app/helpers.py", "")
    write("src/app/inner/__init__.py", "initial = make('initial')\n")
    write("src/app/inner/tools.py", "from ..helpers import make\none = make(__name__[-5:])\n")
    assert names("src/app/inner/tools.py") == ["tools"]
    assert names("src/app/inner/__init__.py") == ["initial"]
    assert "app.inner.tools" in sys.modules
    assert "app.inner.__init__" not in sys.modules


def test_a_file_on_its_own_finds_its_neighbours(write: Callable[[str, str], None]) -> None:
    write("apart/neighbour.py", "")
    write("apart/alone.py", "from neighbour import make\none = make('one')\n")
    assert names("apart/alone.py") == ["one"]


def test_a_file_may_have_the_name_of_a_module(write: Callable[[str, str], None]) -> None:
    write("apart/json.py", "one = make('one')\n")
    import json

    assert names("apart/json.py") == ["one"]
    assert sys.modules["json"] is json


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("faulty:registy", 'faulty has no "registy", did you mean "registry"?'),
        ("faulty:registry.x", 'faulty has no "registry.x", did you mean "registry"?'),
        ("faulty:registry", "faulty:registry holds no tools"),
        ("faulty:nothing", "faulty:nothing holds no tools"),
        ("faulty:make", "faulty:make is a function, not a definition, a list of them or"),
        ("faulty:ToolRegistry", "faulty:ToolRegistry is a class, not"),
        ("faulty", "faulty holds no tools"),
        ("no_such_module", "cannot import no_such_module: No module named 'no_such_module'"),
        ("missing.py", "cannot import missing.py: there is no such file"),
        ("", '"" is neither the name of a module nor a path'),
        (".faulty", '".faulty" is neither the name of a module nor a path'),
        ("tools/", '"tools/" is neither the name of a module nor a path'),
    ],
)
def test_what_is_no_target(target: str, said: str, write: Callable[[str, str], None]) -> None:
    write("faulty.py", "registry = ToolRegistry()\nnothing = []\n")
    assert fault(target).startswith(said)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "def f():\n    raise ValueError('bad\\nnews')\nf()",
            "ValueError: bad news (raising.py, line 7)",
        ),
        ("import sys; sys.exit('bye')", "SystemExit: bye (raising.py, line 6)"),
        ("{}['x']", "KeyError: 'x' (raising.py, line 6)"),
        ("raise RuntimeError", "RuntimeError (raising.py, line 6)"),
        ("def (", "SyntaxError: invalid syntax (raising.py, line 6)"),
        ("import no_such_thing", "No module named 'no_such_thing'"),
        (
            "make('two words')",
            "SchemaError: invalid definition of tool \"two words\": a tool's name must be 1 to 64 "
            'of A-Z a-z 0-9 _ and -, not "two words" (raising.py, line 5)',
        ),
    ],
)
@pytest.mark.parametrize("target", ["raising", "raising.py"])
def test_a_module_that_raises(
    target: str, code: str, said: str, write: Callable[[str, str], None]
) -> None:
    write("raising.py", f"{code}\n")
    assert fault(target) == f"cannot import {target}: {said}"
