"""Copies of the package: made whole or not at all, and honest about edits."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import dsh_tools
import pytest
from dsh_tools import HarnessError
from dsh_tools.commands import vendoring
from dsh_tools.commands.vendoring import MANIFEST, check_copy, vendor

ROOT = Path(__file__).parents[3]
PACKAGE = Path(dsh_tools.__file__).parent
VERSION = "1.2.3"


def snapshot(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def package_files() -> dict[str, bytes]:
    files = snapshot(PACKAGE)
    left_out = ("__pycache__", MANIFEST)
    return {name: data for name, data in files.items() if not any(map(name.count, left_out))}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    path = tmp_path / "app" / "tools"
    vendor(path, version=VERSION)
    return path


def refused(path: Path, code: str, *, force: bool = False) -> str:
    """The message with which a copy to a path is refused, which changes nothing around it."""
    before = snapshot(path.parent)
    with pytest.raises(HarnessError) as caught:
        vendor(path, version=VERSION, force=force)
    assert caught.value.code == code
    assert snapshot(path.parent) == before
    return str(caught.value)


# --- copies -------------------------------------------------------------------------------


def test_a_copy_is_the_package_with_licence_and_manifest(copy: Path) -> None:
    files = snapshot(copy)
    manifest = json.loads(files.pop(MANIFEST))
    assert files == package_files()
    assert files["LICENSE"] == (ROOT / "LICENSE").read_bytes()
    assert (manifest["version"], manifest["files"].keys()) == (VERSION, files.keys())
    assert [path.name for path in copy.parent.iterdir()] == ["tools"]


def test_a_copy_can_be_read_by_everyone_that_new_files_are_for(copy: Path) -> None:
    beside = copy.parent / "beside"
    beside.mkdir()
    assert copy.stat().st_mode == beside.stat().st_mode


def test_folders_inside_a_package_are_packages(tmp_path: Path) -> None:
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "__init__.py").touch()
    vendor(tmp_path / "host" / "_vendor" / "deep" / "tools", version=VERSION)
    vendor(tmp_path / "elsewhere" / "tools", version=VERSION)
    assert (tmp_path / "host" / "_vendor" / "__init__.py").read_bytes() == b""
    assert (tmp_path / "host" / "_vendor" / "deep" / "__init__.py").is_file()
    assert not (tmp_path / "elsewhere" / "__init__.py").exists()


def test_a_clean_copy_is_replaced_by_another_version(copy: Path) -> None:
    vendor(copy, version="2.0")
    assert check_copy(copy, version="2.0")["state"] == "clean"


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    vendor(tmp_path / "tools", version=VERSION)
    assert check_copy(tmp_path / "tools", version=VERSION)["state"] == "clean"


def test_an_edited_copy_is_kept_unless_forced(copy: Path) -> None:
    (copy / "commands" / "cli.py").write_text("mine", "utf-8")
    (copy / "extra.py").touch()
    assert "changed commands/cli.py, added extra.py" in refused(copy, "EDITED_COPY")
    vendor(copy, version=VERSION, force=True)
    assert check_copy(copy, version=VERSION)["state"] == "clean"
    assert not (copy / "extra.py").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("my-tools", "no name that Python can import"),
        ("class", "no name that Python can import"),
        ("file", "is no folder"),
        ("link", "is a symbolic link"),
        ("other", "name the folder that becomes the package"),
        ("coincidence", "is not empty and no copy"),
    ],
)
def test_where_no_copy_can_be(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in ("other", "coincidence"):
        (tmp_path / folder).mkdir()
    (tmp_path / "other" / "precious.py").touch()
    (tmp_path / "coincidence" / MANIFEST).write_text('{"of": "another tool"}', "utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "other")
    for force in (False, True):
        assert said in refused(tmp_path / name, "NO_PLACE", force=force)


def test_nothing_is_half_written(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = snapshot(copy.parent)
    write = Path.write_bytes
    written: list[Path] = []

    def full_disk(path: Path, data: bytes) -> int:
        written.append(path)
        if len(written) == 5:
            raise OSError(28, "No space left on device", str(path))
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(OSError, match="No space left"):
        vendor(copy, version="2.0")
    assert snapshot(copy.parent) == before
    assert os.listdir(copy.parent) == ["tools"]


def test_the_old_copy_stays_when_the_new_cannot_take_its_place(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(copy.parent)
    rename = Path.rename

    def interrupted(path: Path, target: Path) -> Path:
        if path.name == "new":
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        vendor(copy, version="2.0")
    assert snapshot(copy.parent) == before
    assert os.listdir(copy.parent) == ["tools"]


# --- what has become of a copy ------------------------------------------------------------


def test_a_copy_is_clean(copy: Path) -> None:
    assert check_copy(copy, version=VERSION) == {
        "state": "clean",
        "version": VERSION,
        "changed": [],
        "missing": [],
        "added": [],
    }


def test_a_copy_is_edited(copy: Path) -> None:
    (copy / "adapters" / "acp.py").write_text("", "utf-8")
    (copy / "py.typed").unlink()
    (copy / "adapters" / "mine.py").touch()
    report = check_copy(copy, version="2.0")
    assert (report["state"], report["version"]) == ("edited", VERSION)
    assert report["changed"] == ["adapters/acp.py"]
    assert report["missing"] == ["py.typed"]
    assert report["added"] == ["adapters/mine.py"]


def test_a_copy_is_of_another_version(copy: Path) -> None:
    assert check_copy(copy, version="2.0")["state"] == "other version"


def test_a_copy_is_of_other_sources_with_the_same_version(copy: Path) -> None:
    again = copy.parent / "again"
    (copy / "commands" / "cli.py").write_text("", "utf-8")
    run = (
        "from pathlib import Path; from tools.commands import vendoring; "
        f"vendoring.vendor(Path({str(again)!r}), version={VERSION!r})"
    )
    command = [sys.executable, "-S", "-c", run]
    subprocess.run(command, cwd=copy.parent, env={}, check=True)
    assert check_copy(again, version=VERSION)["state"] == "other version"


def test_line_ends_and_caches_are_no_edits(copy: Path) -> None:
    for path in copy.rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    (copy / "__pycache__").mkdir()
    (copy / "__pycache__" / "cli.cpython-311.pyc").touch()
    (copy / ".mypy_cache").mkdir()
    (copy / ".mypy_cache" / "x.json").touch()
    assert check_copy(copy, version=VERSION)["state"] == "clean"


@pytest.mark.parametrize("manifest", [None, "", "[]", '{"version": 1}', "{"])
def test_a_folder_that_is_no_copy(manifest: str | None, tmp_path: Path) -> None:
    if manifest is not None:
        (tmp_path / MANIFEST).write_text(manifest, "utf-8")
    with pytest.raises(HarnessError, match="is no copy") as caught:
        check_copy(tmp_path, version=VERSION)
    assert caught.value.code == "NO_COPY"


def test_a_copy_out_of_a_zip_file_is_the_same(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name, data in package_files().items():
            archive.writestr(f"tools/{name}", data)
    run = (
        "import sys; sys.path.insert(0, 'all.zip'); from pathlib import Path; "
        "from tools.commands import vendoring; assert 'all.zip' in vendoring.__file__; "
        f"vendoring.vendor(Path('copy'), version={VERSION!r})"
    )
    subprocess.run([sys.executable, "-S", "-I", "-c", run], cwd=tmp_path, check=True)
    assert check_copy(tmp_path / "copy", version=VERSION)["state"] == "clean"


def test_the_module_knows_where_it_is() -> None:
    assert vendoring.__package__ == f"{dsh_tools.__name__}.commands"
