"""A copy of this package in a host's tree, and whether it was edited since.

A copy holds the licence and a manifest, `VENDORED.json`, with the version and the SHA-256 of each
file. Line ends do not count: git may check text out with CRLF.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from json import dumps, loads
from keyword import iskeyword
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal, TypedDict

from ..errors import HarnessError

MANIFEST: Final = "VENDORED.json"
_PACKAGE: Final = __package__.rpartition(".")[0]


class Manifest(TypedDict):
    """What a copy was when it was made.

    version: the package's version.
    files: path within the package, with "/", to the SHA-256 of its text with LF as line end.
    """

    version: str
    files: dict[str, str]


class CopyReport(TypedDict):
    """What has become of a copy.

    state: "edited" when a file differs from the manifest, otherwise "other version" when the
        manifest differs from this package, otherwise "clean".
    version: of the copy, when it was made.
    changed, missing, added: paths of the files that differ, sorted.
    """

    state: Literal["clean", "edited", "other version"]
    version: str
    changed: list[str]
    missing: list[str]
    added: list[str]


def vendor(destination: Path, *, version: str, force: bool = False) -> None:
    """Copy this package, of the given version, to the folder `destination`, which becomes the
    package there. It is new, empty, or a copy that this replaces as a whole once the new one is
    complete. Folders above it are made, as packages where they are inside of one.

    Raises HarnessError with code "EDITED_COPY" for a copy that was edited, unless `force`, and
    with code "NO_PLACE" for a path where no copy can be; OSError when the system refuses. Nothing
    has changed then.
    """
    _require_place(destination)
    if not force:
        _require_unedited(destination, version)
    contents = _own_files()
    manifest: Manifest = {"version": version, "files": _hashes(contents)}
    contents[MANIFEST] = f"{dumps(manifest, indent=2)}\n".encode()
    _make_packages(destination.parent)
    with TemporaryDirectory(prefix=".vendoring-", dir=destination.parent) as scratch:
        _write(Path(scratch, "new"), contents)
        _exchange(destination, Path(scratch, "new"), Path(scratch, "old"))


def check_copy(copy: Path, *, version: str) -> CopyReport:
    """Whether a copy is as it was made, and made of this package, which has the given version.

    Raises HarnessError with code "NO_COPY" for a folder that is no copy made by `vendor`.
    """
    manifest = _manifest(copy)
    if manifest is None:
        raise HarnessError(f"{copy} is no copy: it has no {MANIFEST} that vendor wrote", "NO_COPY")
    own: Manifest = {"version": version, "files": _hashes(_own_files())}
    wanted, found = manifest["files"], _hashes(dict(_package_files(copy)))
    report: CopyReport = {
        "state": "clean",
        "version": manifest["version"],
        "changed": sorted(name for name in wanted if found.get(name, wanted[name]) != wanted[name]),
        "missing": sorted(wanted.keys() - found.keys()),
        "added": sorted(found.keys() - wanted.keys()),
    }
    if report["changed"] or report["missing"] or report["added"]:
        report["state"] = "edited"
    elif manifest != own:
        report["state"] = "other version"
    return report


# --- what is copied -----------------------------------------------------------------------


def _own_files() -> dict[str, bytes]:
    return dict(_package_files(files(_PACKAGE)))


def _package_files(folder: Traversable, path: str = "") -> Iterator[tuple[str, bytes]]:
    """Every file of a package with its path, but for the manifest and what Python, checkers and
    editors put there: caches and hidden files."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name in ("__pycache__", MANIFEST) or entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _package_files(entry, f"{path}{entry.name}/")
        else:
            yield f"{path}{entry.name}", entry.read_bytes()


def _hashes(contents: Mapping[str, bytes]) -> dict[str, str]:
    return {
        name: sha256(data.replace(b"\r\n", b"\n")).hexdigest() for name, data in contents.items()
    }


def _manifest(copy: Path) -> Manifest | None:
    """The manifest of a copy, None when the folder is none."""
    try:
        manifest = loads((copy / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return None
    match manifest:
        case {"version": str(version), "files": dict(hashes)}:
            return {"version": version, "files": hashes}
    return None


# --- where it is put ----------------------------------------------------------------------


def _require_place(destination: Path) -> None:
    fault = _place_fault(destination)
    if fault:
        raise HarnessError(f"{destination} {fault}", "NO_PLACE")


def _place_fault(destination: Path) -> str:
    """Why no copy can be at a path, "" when it can."""
    name = destination.name
    if not name.isidentifier() or iskeyword(name):
        return "is no name that Python can import: name the folder that becomes the package"
    if destination.is_symlink():
        return "is a symbolic link: name the folder that it leads to"
    if not destination.exists():
        return ""
    if not destination.is_dir():
        return "is no folder"
    if _manifest(destination) is None and any(destination.iterdir()):
        inside = destination / _PACKAGE.rpartition(".")[2]
        return f"is not empty and no copy: name the folder that becomes the package, {inside}"
    return ""


def _require_unedited(destination: Path, version: str) -> None:
    if _manifest(destination) is None:
        return
    report = check_copy(destination, version=version)
    if report["state"] == "edited":
        edits = ", ".join(edits_of(report))
        text = f"{destination} was edited ({edits}): --force replaces it and the edits are lost"
        raise HarnessError(text, "EDITED_COPY")


def edits_of(report: CopyReport) -> list[str]:
    """The files of an edited copy, each with what was done to it: "changed cli.py"."""
    kinds: tuple[Literal["changed", "missing", "added"], ...] = ("changed", "missing", "added")
    return [f"{kind} {name}" for kind in kinds for name in report[kind]]


def _make_packages(folder: Path) -> None:
    if not folder.is_dir():
        _make_packages(folder.parent)
        folder.mkdir()
        if (folder.parent / "__init__.py").is_file():
            (folder / "__init__.py").touch()


def _write(folder: Path, contents: Mapping[str, bytes]) -> None:
    for name, data in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _exchange(destination: Path, new: Path, old: Path) -> None:
    """Put the new folder where the old one is, which stays when that fails."""
    if not destination.exists():
        new.rename(destination)
        return
    destination.rename(old)
    try:
        new.rename(destination)
    except BaseException:
        old.rename(destination)
        raise
