"""Everything the README shows runs, and prints what the README says."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PEERS = re.compile(r"^(?:from|import) (?:acp|anthropic|google|mcp|openai)\b", re.MULTILINE)


def blocks() -> list[tuple[str, str]]:
    """The fenced blocks of the README, each with its language."""
    return BLOCK.findall((ROOT / "README.md").read_text("utf-8"))


def programs() -> list[tuple[str, str | None]]:
    """The Python blocks to run, each with the text block that shows what it prints, if any."""
    return [
        (code, shown)
        for code, shown in with_what_follows("text")
        if not code == checked_by_mypy()[0] and not PEERS.search(code)
    ]


def programs_with_peers() -> list[str]:
    """The Python blocks that need others' software; tests/conformance/peers runs them."""
    return [code for language, code in blocks() if language == "python" and PEERS.search(code)]


def checked_by_mypy() -> tuple[str, str]:
    """The Python block that is for mypy, and what mypy prints."""
    (found,) = [
        (code, shown.removeprefix("$ mypy search.py\n"))
        for code, shown in with_what_follows("console")
        if shown is not None and shown.startswith("$ mypy search.py\n")
    ]
    return found


def with_what_follows(wanted: str) -> list[tuple[str, str | None]]:
    """Each Python block with the next block of the wanted language before another Python block."""
    found: list[tuple[str, str | None]] = []
    for language, code in blocks():
        if language == "python":
            found.append((code, None))
        elif language == wanted and found and found[-1][1] is None:
            found[-1] = (found[-1][0], code)
    return found


@pytest.mark.parametrize(("code", "output"), programs())
def test_a_program_runs_as_pasted(code: str, output: str | None, tmp_path: Path) -> None:
    pasted = tmp_path / "pasted.py"
    pasted.write_text(code, "utf-8")
    command = [sys.executable, "-X", "utf8", "-W", "error", str(pasted)]
    environment = {"PYTHONPATH": str(ROOT)}
    shown = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
    assert shown.stderr == ""
    if output is not None:
        assert shown.stdout == output


def screens(command: str) -> list[str]:
    """The console blocks that begin with such a command."""
    shown = (code for language, code in blocks() if language == "console")
    return [code for code in shown if code.startswith(f"$ {command}")]


def commands_of(screen: str) -> list[tuple[str, str]]:
    """Each command of a screen with what is printed below it."""
    parts = re.split(r"^\$ (.*)\n", screen, flags=re.MULTILINE)[1:]
    return [*zip(parts[::2], parts[1::2])]


@pytest.mark.parametrize("screen", screens("python -m dsh_tools"))
def test_commands_print_what_the_readme_says(screen: str, tmp_path: Path) -> None:
    (example,) = [code for code, _ in programs() if code.startswith('"""shopping.py"""')]
    clone = tmp_path / "clone"
    for folder in (clone, tmp_path / "app"):
        folder.mkdir()
    (clone / "shopping.py").write_text(example, "utf-8")
    (tmp_path / "app" / "mypy.ini").touch()
    for command, shown in commands_of(screen):
        run = subprocess.run(
            ["bash", "-c", command.replace("python", f'"{sys.executable}"', 1)],
            cwd=clone,
            env={"PYTHONPATH": str(ROOT), "COLUMNS": "80"},
            capture_output=True,
            encoding="utf-8",
        )
        assert (run.stdout, run.stderr) == (shown, ""), command


def test_the_schema_is_what_the_first_program_registers() -> None:
    namespace: dict[str, object] = {}
    exec(programs()[0][0], namespace)
    (shown,) = [code for language, code in blocks() if language == "json"]
    registry = namespace["registry"]
    assert json.dumps(registry.schemas()) == json.dumps(json.loads(shown))  # type: ignore[attr-defined]  # from exec


def test_mypy_prints_what_the_readme_says(tmp_path: Path) -> None:
    code, shown = checked_by_mypy()
    (tmp_path / "search.py").write_text(code, "utf-8")
    configuration = "[mypy]\nplugins = dsh_tools/mypy_plugin/entry.py\n"
    (tmp_path / "mypy.ini").write_text(configuration, "utf-8")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "dsh_tools", tmp_path / "dsh_tools", ignore=ignore)
    command = [str(Path(sys.executable).with_name("mypy")), "search.py"]
    run = subprocess.run(command, cwd=tmp_path, env={}, capture_output=True, encoding="utf-8")
    assert (run.stderr, run.stdout) == ("", shown)


def test_mypy_reveals_what_the_first_screen_says(tmp_path: Path) -> None:
    code = programs()[0][0] + "\nreveal_type(WEATHER)\n"
    (tmp_path / "weather.py").write_text(code, "utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    environment = {"MYPYPATH": str(ROOT)}
    run = subprocess.run(
        [*command, str(tmp_path / "weather.py")],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        encoding="utf-8",
    )
    revealed = next(block for language, block in blocks() if language == "console")
    assert " ".join(revealed.split()) in run.stdout, run.stdout + run.stderr
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_commands_and_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = re.findall(r"(?:^|`)make (?:-j2 )?([a-z-]+)", text, re.MULTILINE)
    assert targets and all(f"\n{target}:" in makefile for target in targets)
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
    assert links and all((ROOT / link).is_file() for link in links)
