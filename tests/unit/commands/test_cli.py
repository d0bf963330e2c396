"""The commands, run in this process with arguments as a shell would give them."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dsh_tools
import pytest
from dsh_tools.commands.cli import main
from dsh_tools.commands.providers import FORMATS

ROOT = Path(__file__).parents[3]
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


TOOLS = """
import os
from dsh_tools import ToolRegistry, define_tool

print("printed while imported")

@define_tool(name="greet", parameters={"name": {"type": "string", "required": True}})
def greet(args, execution):
    \"\"\"Greet.\"\"\"
    print("printed by the tool")
    os.system("echo printed by a program")
    return "Grüße, " + args["name"]

@define_tool(name="fail", description="Fail.", parameters={})
def fail(args, execution):
    raise ValueError("two\\nlines \\x1b[2J")

@define_tool(name="leave", description="Leave.", parameters={})
def leave(args, execution):
    raise SystemExit(3)

@define_tool(
    name="change",
    description="Change a file.",
    parameters={},
    present_call=lambda args: {"card": "generic", "title": "Change a.py", "kind": "edit"},
    present_result=lambda args, result: {
        "card": "diff", "diffs": [{"path": "a.py", "old_text": "a\\n", "new_text": "b\\n"}]
    },
)
def change(args, execution):
    return {"content": [{"type": "text", "text": "done"}], "meta": object()}

guarded = ToolRegistry()
guarded.register(fail)
guarded.guard(lambda execution: "not today")

def add_context(execution, result, next):
    said = {"content": [{"type": "text", "text": "by the way"}], "source": {"kind": "user"}}
    return {**next(), "additional_context": said}

talkative = ToolRegistry()
talkative.register(greet)
talkative.on_post_execute(add_context)
"""
BAD = """
from dsh_tools import define_tool
loose = define_tool(
    name="loose", description="", parameters={"a": {"type": "array"}}, execute=lambda a, e: None
)
raw = [{"name": "two words", "description": "d", "parameters": {}, "execute": None}]
"""


@pytest.fixture
def tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[None]:
    """A working folder with tools in it."""
    (tmp_path / "some_tools.py").write_text(TOOLS, "utf-8")
    (tmp_path / "bad_tools.py").write_text(BAD, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


def run(*arguments: str, **environment: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a process of its own, in the working folder."""
    command = [sys.executable, "-W", "error", "-m", "dsh_tools", *arguments]
    shown = subprocess.run(
        command,
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], **environment},
        capture_output=True,
    )
    return shown.returncode, shown.stdout.decode(), shown.stderr.decode()


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


def test_stubs_of_a_file_are_those_of_its_module(app: Path) -> None:
    assert main(["stubs", "app_tools.py", "-o", "stubs"]) == 0
    assert (app / "stubs" / "app_tools_args.pyi").read_text("utf-8") == STUB


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
        (["--json-schema", "missing.json", "-o", "x"], "missing.json: [Errno "),
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
    examples = ["tests.examples.coding_tools", "tests.examples.forms"]
    stale = main(["stubs", *examples, "-o", "stubs", "--check"])
    assert not stale, capsys.readouterr().out


# --- schemas ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
def test_schemas_in_every_format(name: str, tools: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["schemas", "some_tools:talkative", "--format", name]) == 0
    shown = capfd.readouterr()
    assert "greet" in str(json.loads(shown.out))
    assert shown.err == "printed while imported\n"


def test_schemas_of_several_tools_of_one_name(
    tools: None, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("twins.py").write_text("from some_tools import *\nsecond = {**fail}\n", "utf-8")
    assert main(["schemas", "twins.py"]) == 2
    assert 'there are 2 tools "fail", in twins.py:guarded, twins.py:second: ' in (
        capfd.readouterr().err
    )


def test_schemas_that_a_provider_cannot_take(
    tools: None, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("strict.py").write_text(
        "tool = {'name': 't', 'description': 'd', 'strict': True, 'execute': print,\n"
        "        'parameters': {'type': 'object', 'properties': {'a': {'type': 'array'}}}}\n",
        "utf-8",
    )
    assert main(["schemas", "strict.py", "--format", "openai"]) == 2
    shown = capfd.readouterr()
    assert shown.out == ""
    assert 'tool "t": parameters.properties.a' in shown.err


# --- check --------------------------------------------------------------------------------


def test_check_finds_nothing(tools: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "some_tools"]) == 0
    assert capfd.readouterr().out == "4 tools, 0 faults\n"


def test_check_finds_faults_and_refusals(tools: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "bad_tools"]) == 1
    assert capfd.readouterr().out.splitlines() == [
        "two words: a tool's name must be 1 to 64 of A-Z a-z 0-9 _ and -, not \"two words\"",
        'two words: "execute" must be a function, not None',
        "loose: there is no description: a model cannot know when to use the tool",
        'loose: "a": an array must say what its "items" are [openai, gemini]',
        "2 tools, 4 faults",
    ]


def test_check_of_what_only_looks_like_a_tool(
    tools: None, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("odd.py").write_text(
        "tool = {'name': ['t'], 'description': None, 'parameters': {}, 'execute': print}\n"
        "tool['parameters']['self'] = tool\n",
        "utf-8",
    )
    assert main(["check", "odd.py"]) == 1
    assert capfd.readouterr().out.endswith("\n1 tool, 3 faults\n")
    assert main(["schemas", "odd.py"]) == 2
    assert main(["call", "odd.py", "t"]) == 2


def test_check_for_one_provider(tools: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "bad_tools:loose", "--provider", "mcp"]) == 1
    assert "items" not in capfd.readouterr().out


def test_check_as_json(tools: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "bad_tools:loose", "--json", "--provider", "gemini"]) == 1
    shown = json.loads(capfd.readouterr().out)
    assert shown["tools"] == ["loose"]
    assert [fault.get("providers") for fault in shown["faults"]] == [None, ["gemini"]]
    assert main(["check", "some_tools:guarded", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {"tools": ["fail"], "faults": []}


def test_check_tells_all_faults_of_a_definition_that_is_refused(
    tools: None, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("refused.py").write_text(
        "from dsh_tools import define_tool\n"
        "define_tool(name='t', description='d', execute=print,\n"
        "            parameters={'a': {'type': 'int'}, 'b': {'typ': 1, 'type': 'string'}})\n",
        "utf-8",
    )
    assert main(["check", "refused.py"]) == 1
    assert capfd.readouterr().out.splitlines() == [
        't: "a": unknown type "int", did you mean "integer"?',
        't: "b": unknown key "typ", did you mean "type"?',
        "0 tools, 2 faults",
    ]


def test_registries_are_checked_each_on_its_own(
    tools: None, capfd: pytest.CaptureFixture[str]
) -> None:
    """Two agents may each have a tool `read`; two loose tools of one name cannot be sent."""
    Path("agents.py").write_text(
        "from some_tools import ToolRegistry, fail\n"
        "main, other = ToolRegistry(), ToolRegistry()\n"
        "main.register(fail)\nother.register({**fail})\n",
        "utf-8",
    )
    assert main(["check", "agents.py"]) == 0
    Path("shared.py").write_text(
        "from bad_tools import loose\nfrom some_tools import ToolRegistry\n"
        "main, other = ToolRegistry(), ToolRegistry()\n"
        "main.register(loose)\nother.register(loose)\n",
        "utf-8",
    )
    capfd.readouterr()
    assert main(["check", "shared.py"]) == 1
    assert capfd.readouterr().out.endswith("\n1 tool, 2 faults\n")
    Path("loose.py").write_text("from some_tools import fail\nsame = {**fail}\n", "utf-8")
    assert main(["check", "loose.py"]) == 1
    assert 'there are 2 tools "fail", in loose.py:fail, loose.py:same' in capfd.readouterr().out


# --- call ---------------------------------------------------------------------------------


def test_call_shows_cards_and_result(tools: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "some_tools", "change"]) == 0
    shown = capfd.readouterr()
    assert shown.out == "± Change a.py\n│ a.py\n│ @@ -1 +1 @@\n│ -a\n│ +b\n╰ done\n"
    assert main(["call", "some_tools", "greet", '{"name": "Ægir"}']) == 0
    shown = capfd.readouterr()
    assert shown.out == '• greet\n  name: "Ægir"\n│ Grüße, Ægir\n│ by the way\n╰ done\n'
    assert shown.err.splitlines() == ["printed by the tool", "printed by a program"]


def test_call_tells_an_error_result(tools: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "some_tools:fail", "fail"]) == 1
    shown = capfd.readouterr()
    assert shown.out == "• fail\n│ Error: two\n│ lines ␛[2J\n╰ failed\n"
    assert shown.err.splitlines() == [
        "printed while imported",
        "python -m dsh_tools: 'fail': the tool failed: ValueError: two lines ␛[2J "
        "(some_tools.py, line 16)",
    ]
    assert main(["call", "some_tools", "greet", '{"name": 1}']) == 1
    assert capfd.readouterr().out.endswith("\n╰ failed: INVALID_ARGS\n")
    assert main(["call", "some_tools", "greet", '{"name": ']) == 1
    assert '"arguments" must be an object' in capfd.readouterr().out


def test_what_the_log_says_is_said_once(tools: None) -> None:
    code = "import logging\nlogging.basicConfig()\nfrom some_tools import fail\n"
    Path("logging_too.py").write_text(code, "utf-8")
    _, _, err = run("call", "logging_too.py", "fail")
    assert err.count("the tool failed") == 1


def test_call_keeps_to_the_policy_of_a_registry(
    tools: None, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", "some_tools", "fail"]) == 1
    assert "Error: not today\n" in capfd.readouterr().out


def test_call_as_json(tools: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "some_tools", "change", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {
        "call_id": "call-1",
        "content": [{"type": "text", "text": "done"}],
        "is_error": False,
    }
    assert main(["call", "some_tools", "greet", "[]", "--json"]) == 1
    assert json.loads(capfd.readouterr().out)["error"]["code"] == "INVALID_ARGS"


@pytest.mark.parametrize("given", ['{"name": "é"}', '\ufeff{"name": "é"}\n'])
def test_call_reads_arguments_from_stdin(
    given: str, tools: None, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    assert main(["call", "some_tools", "greet", "-"]) == 0
    assert "Grüße, é\n" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["some_tools", "gret"], 'some_tools has no tool "gret", did you mean "greet"?'),
        (["some_tools", "x"], 'some_tools has no tool "x", but change, fail, greet, leave'),
        (["some_tools", "leave"], "what was called wants to exit: SystemExit: 3 (some_tools.py"),
        (["bad_tools", "two words"], 'invalid definition of tool "two words": '),
        (["some_tool", "x"], "cannot import some_tool: No module named 'some_tool'"),
    ],
)
def test_what_cannot_be_called(
    arguments: list[str], said: str, tools: None, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", *arguments]) == 2
    shown = capfd.readouterr()
    (line,) = [line for line in shown.err.splitlines() if line != "printed while imported"]
    assert f"{line}\n".startswith(f"python -m dsh_tools: {said}")
    assert "Error" not in shown.out


def test_stdin_that_is_no_text(
    tools: None, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    assert main(["call", "some_tools", "greet", "-"]) == 2
    assert capfd.readouterr().err.endswith("what came on stdin is no UTF-8\n")


# --- vendor -------------------------------------------------------------------------------


def test_vendor_says_what_mypy_needs(tools: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["vendor", "host/tools"]) == 0
    shown = capfd.readouterr().out.splitlines()
    assert shown[0].startswith(f"host/tools is now dsh_tools {dsh_tools.__version__}.")
    assert shown[-2:] == ["[mypy]", "plugins = host/tools/mypy_plugin/entry.py"]
    Path("pyproject.toml").touch()
    assert main(["vendor", str(Path.cwd() / "host" / "tools")]) == 0
    shown = capfd.readouterr().out.splitlines()
    assert shown[-2:] == ["[tool.mypy]", 'plugins = ["host/tools/mypy_plugin/entry.py"]']


def test_vendor_into_another_project(tools: None, capfd: pytest.CaptureFixture[str]) -> None:
    """As when the command runs in a clone of this repository."""
    for folder in ("here", "other/src"):
        Path(folder).mkdir(parents=True)
    Path("here/pyproject.toml").touch()
    Path("other/mypy.ini").touch()
    os.chdir("here")
    assert main(["vendor", "../other/src/tools"]) == 0
    shown = capfd.readouterr().out.splitlines()
    assert shown[-2:] == ["[mypy]", "plugins = src/tools/mypy_plugin/entry.py"]


def test_vendor_checks_a_copy(tools: None, capfd: pytest.CaptureFixture[str]) -> None:
    main(["vendor", "host/tools"])
    capfd.readouterr()
    assert main(["vendor", "host/tools", "--check"]) == 0
    assert capfd.readouterr().out.startswith("host/tools: clean (")
    Path("host/tools/commands/cli.py").unlink()
    assert main(["vendor", "host/tools", "--check"]) == 1
    first, *edits = capfd.readouterr().out.splitlines()
    assert (first.split(" (")[0], edits) == ("host/tools: edited", ["missing commands/cli.py"])
    assert main(["vendor", "host/tools"]) == 2
    assert "host/tools was edited (missing commands/cli.py)" in capfd.readouterr().err
    assert main(["vendor", "host/tools", "--force"]) == 0
    assert main(["vendor", "host", "--check"]) == 2


def test_vendor_where_the_system_refuses(tools: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["vendor", "some_tools.py/tools"]) == 2
    assert capfd.readouterr().err == "python -m dsh_tools: some_tools.py: File exists\n"


# --- as a process -------------------------------------------------------------------------


def test_json_is_utf_8_whatever_the_locale(tools: None) -> None:
    code, out, err = run(
        "call", "some_tools", "greet", '{"name": "漢"}', "--json", PYTHONIOENCODING="ascii"
    )
    assert (code, json.loads(out)["content"][0]["text"]) == (0, "Grüße, 漢")
    assert "Grüße, 漢" in out


def test_nobody_reads_to_the_end(tools: None) -> None:
    command = f'"{sys.executable}" -m dsh_tools schemas some_tools | true; echo ${{PIPESTATUS[0]}}'
    shown = subprocess.run(
        ["bash", "-c", command], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert shown.stdout in ("141\n", "0\n")  # it may have been quicker
    assert shown.stderr == "printed while imported\n"


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_streams_that_are_closed(closed: str, tools: None) -> None:
    command = f'"{sys.executable}" -m dsh_tools call some_tools greet [] {closed}; echo $? >code'
    shown = subprocess.run(
        ["bash", "-c", command], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert Path("code").read_text("utf-8") == "1\n"
    assert "Traceback" not in shown.stderr


def test_a_hostile_tool_leaves_the_terminal_as_it_was(tools: None) -> None:
    Path("hostile.py").write_text(
        "from dsh_tools import define_tool\n"
        "tool = define_tool(name='t', description='d', parameters={}, execute=lambda a, e:\n"
        "    '\\x1b[2J\\x1b]52;c;eA==\\x07\\x9b1m\\ud800```\\r\\u202e' * 1_000_000)\n",
        "utf-8",
    )
    code, out, err = run("call", "hostile.py", "t", FORCE_COLOR="1")
    assert (code, err) == (0, "")
    assert len(out) < 50_000
    ours = out.replace("\x1b[1m", "").replace("\x1b[32m", "").replace("\x1b[0m", "")
    assert ours.replace("\n", "").isprintable()


def test_interrupted(tools: None, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("slow.py").write_text("raise KeyboardInterrupt\n", "utf-8")
    assert main(["check", "slow.py"]) == 130


@pytest.mark.parametrize("command", [[], ["schemas"], ["check"], ["call"], ["stubs"], ["vendor"]])
def test_help_shows_examples_and_exit_codes(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main([*command, "--help"])
    shown = capsys.readouterr().out
    assert exit_.value.code == 0
    assert "exit codes:" in shown
    assert not command or f"python -m dsh_tools {command[0]} " in shown.split("examples:")[1]


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"dsh_tools {dsh_tools.__version__}\n"


@pytest.mark.parametrize(
    "arguments", [[], ["schema"], ["schemas"], ["schemas", "x", "--format", "y"]]
)
def test_a_wrong_command_line_is_a_complaint_of_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    assert exit_.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("python -m dsh_tools: ")
