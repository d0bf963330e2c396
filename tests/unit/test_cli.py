"""The commands, run in this process with arguments as a shell would give them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from dsh_tools.cli import main

ROOT = Path(__file__).parents[2]
MODULE = """
from dsh_tools import schema
READ = schema({"path": {"type": "string", "required": True, "description": "Where"}})
"""
STUB = """\
# Written by `dsh_tools stubs` from app_tools: do not edit.

from typing import TypedDict


class ReadArgs(TypedDict):
    #: Where
    path: str
"""


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the module `app_tools` in it."""
    (tmp_path / "app_tools.py").write_text(MODULE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "app_tools", raising=False)
    return tmp_path


def test_stubs_are_written_once(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = app / "stubs" / "app_tools_args.pyi"
    assert main(["stubs", "app_tools", "-o", "stubs"]) == 0
    assert written.read_text("utf-8") == STUB
    assert capsys.readouterr().out == f"wrote {Path('stubs/app_tools_args.pyi')}\n"
    before = written.stat().st_mtime_ns
    assert main(["stubs", "app_tools", "-o", "stubs"]) == 0
    assert written.stat().st_mtime_ns == before
    assert capsys.readouterr().out == ""


def test_check_shows_what_is_stale(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["stubs", "app_tools", "-o", "stubs"]
    assert main([*command, "--check"]) == 1
    assert "+class ReadArgs(TypedDict):" in capsys.readouterr().out
    assert not (app / "stubs").exists()
    main(command)
    assert main([*command, "--check"]) == 0
    stale = STUB.replace("path", "file")
    (app / "stubs" / "app_tools_args.pyi").write_text(stale, "utf-8")
    capsys.readouterr()
    assert main([*command, "--check"]) == 1
    diff = capsys.readouterr().out.splitlines()
    assert diff[-2:] == ["-    file: str", "+    path: str"]
    assert (app / "stubs" / "app_tools_args.pyi").read_text("utf-8") == stale


def test_stubs_of_a_list_of_tools(app: Path) -> None:
    tool = {"name": "read", "inputSchema": {"properties": {"a": {"type": ["string", "null"]}}}}
    (app / "my-server.json").write_text(json.dumps({"tools": [tool]}), "utf-8")
    assert main(["stubs", "--json-schema", "my-server.json", "-o", "."]) == 0
    stub = (app / "my_server_args.pyi").read_text("utf-8")
    assert "class ReadArgs(TypedDict):\n    a: NotRequired[str | None]\n" in stub


def test_a_module_without_tools_has_no_stub(
    app: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stubs", "json", "app_tools", "-o", "stubs"]) == 0
    assert capsys.readouterr().err == "json holds neither a spec nor a tool\n"
    assert [path.name for path in (app / "stubs").iterdir()] == ["app_tools_args.pyi"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "x"], "name a MODULE or a --json-schema FILE"),
        (["no_such_module", "-o", "x"], "cannot import no_such_module: No module named"),
        (["--json-schema", "missing.json", "-o", "x"], "missing.json: [Errno 2]"),
        (["--json-schema", "app_tools.py", "-o", "x"], "app_tools.py: Expecting value"),
        (["app_tools", "app_tools", "-o", "x"], "two of the stubs would be app_tools_args.pyi"),
    ],
)
def test_what_cannot_be_done(
    app: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stubs", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"python -m dsh_tools: {message}")
    assert not (app / "x").exists()


def test_the_module_runs(app: Path) -> None:
    command = [sys.executable, "-m", "dsh_tools", "stubs", "app_tools", "-o", "stubs", "--check"]
    environment = {"PYTHONPATH": f"{ROOT}"}
    shown = subprocess.run(command, cwd=app, env=environment, capture_output=True, text=True)
    assert (shown.returncode, shown.stderr) == (1, "")


def test_the_stubs_of_the_examples_are_fresh(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If not: `make stubs`, and read the diff."""
    monkeypatch.chdir(ROOT)
    stale = main(["stubs", "tests.examples.coding_tools", "-o", "stubs", "--check"])
    assert not stale, capsys.readouterr().out
