"""Tests of the built wheels and the source distribution: their names, contents and requirements."""

from __future__ import annotations

import platform
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from files import MAX_SIZE, PROJECT, PYTHON, SDIST, WHEELS, headers, only, unpacked
from packaging.metadata import Metadata
from packaging.tags import Tag
from packaging.utils import parse_sdist_filename, parse_wheel_filename

ARTEFACTS = [*WHEELS, SDIST]
STABLE_TAG = {("cp310", "abi3")}
STABLE = [wheel for wheel in WHEELS if "-cp310-abi3-" in wheel.name]
# The minimum glibc of Rust's standard library is 2.17.
MANYLINUX = {f"manylinux_2_17_{platform.machine()}", f"manylinux2014_{platform.machine()}"}

each_artefact = pytest.mark.parametrize("artefact", ARTEFACTS, ids=lambda path: path.name)
each_wheel = pytest.mark.parametrize("wheel", WHEELS, ids=lambda path: path.name)
each_portable_wheel = pytest.mark.parametrize(
    "wheel", [wheel for wheel in WHEELS if "-linux_" not in wheel.name], ids=lambda path: path.name
)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="about Linux")


def run(*arguments: str | Path) -> str:
    """Run a tool of this environment."""
    command = [Path(sysconfig.get_path("scripts")) / arguments[0], *arguments[1:]]
    ran = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


def sources(folder: Path) -> set[str]:
    """List the files of a folder, without byte code."""
    files = (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(folder).as_posix() for file in files}


def test_the_first_wheel_is_for_pythons_with_the_global_lock_and_a_second_one_for_those_without() -> None:
    interpreters = [{(tag.interpreter, tag.abi) for tag in parse_wheel_filename(wheel.name)[3]} for wheel in WHEELS]
    assert interpreters in ([STABLE_TAG], [STABLE_TAG, {("cp314", "cp314t")}])


@on_linux
@each_portable_wheel
def test_it_supports_old_systems(wheel: Path) -> None:
    assert {tag.platform for tag in parse_wheel_filename(wheel.name)[3]} == MANYLINUX


@on_linux
@each_portable_wheel
def test_its_symbols_fit_its_platform_tag(wheel: Path) -> None:
    found = " ".join(run("auditwheel", "show", wheel).split())
    assert f'is consistent with the following platform tag: "manylinux_2_17_{platform.machine()}"' in found


@each_wheel
def test_its_tags_match_its_name(wheel: Path) -> None:
    tags = headers(only(wheel, ".dist-info/WHEEL")).get_all("Tag", [])
    assert {Tag(*tag.split("-")) for tag in tags} == parse_wheel_filename(wheel.name)[3]


@pytest.mark.parametrize("wheel", STABLE, ids=lambda path: path.name)
def test_it_uses_only_the_stable_abi(wheel: Path) -> None:
    run("abi3audit", "--strict", wheel)


@each_wheel
def test_it_has_only_the_files_of_the_package(wheel: Path) -> None:
    modules = {name for name in unpacked(wheel) if ".dist-info/" not in name}
    (engine,) = (name for name in modules if name.endswith((".so", ".pyd")))
    assert engine.startswith("smithy_waiters/_engine.")
    assert modules - {engine} == sources(PYTHON / "src")
    assert {"smithy_waiters/py.typed", "smithy_waiters/_engine.pyi"} < modules


def test_the_source_distribution_has_all_sources_and_tests() -> None:
    files = unpacked(SDIST)
    assert {f"src/{name}" for name in sources(PYTHON / "src")} < set(files)
    assert {f"tests/{name}" for name in sources(PYTHON / "tests")} < set(files)
    assert {f"core/src/{name}" for name in sources(PROJECT / "core/src")} < set(files)
    assert {f"bindings-py/src/{name}" for name in sources(PROJECT / "bindings-py/src")} < set(files)
    tops = {name.partition("/")[0] for name in files}
    folders = {"bindings-py", "core", "derive", "src", "tests"}
    licences = {"LICENSE", "THIRD-PARTY-LICENSES"}
    assert tops == {"Cargo.lock", "Cargo.toml", "PKG-INFO", "README.md", "pyproject.toml", *folders, *licences}


@each_artefact
def test_the_licence_is_in_it(artefact: Path) -> None:
    assert only(artefact, "/LICENSE") == (PROJECT / "LICENSE").read_bytes()
    assert only(artefact, "/THIRD-PARTY-LICENSES") == (PYTHON / "THIRD-PARTY-LICENSES").read_bytes()


@each_artefact
def test_it_contains_no_paths_of_the_build_machine(artefact: Path) -> None:
    places = [bytes(place) for place in (PROJECT, Path.home())]
    assert not [name for name, content in unpacked(artefact).items() if any(place in content for place in places)]


@each_artefact
def test_it_is_small(artefact: Path) -> None:
    assert artefact.stat().st_size <= MAX_SIZE


@each_artefact
def test_a_package_index_accepts_it(artefact: Path) -> None:
    run("twine", "check", "--strict", artefact)


def metadata_of(artefact: Path) -> bytes:
    return only(artefact, "/PKG-INFO" if artefact == SDIST else ".dist-info/METADATA")


@each_artefact
def test_the_metadata_are_valid(artefact: Path) -> None:
    metadata = Metadata.from_email(metadata_of(artefact), validate=True)
    named = parse_sdist_filename if artefact == SDIST else parse_wheel_filename
    assert (metadata.name, metadata.version) == ("smithy-waiters", named(artefact.name)[1])
    assert [str(needed) for needed in metadata.requires_dist or ()] == [
        'aiobotocore>=2.25; extra == "aiobotocore"',
        'apache-airflow>=3.0.6; extra == "airflow"',
        'aws-durable-execution-sdk-python>=3.0; python_full_version >= "3.11" and extra == "aws-lambda"',
        'boto3>=1.37; extra == "boto3"',
        'dbos>=3.4; extra == "dbos"',
        'smithy-waiters-cli; extra == "lint"',
        'temporalio>=1.35; extra == "temporal"',
    ]
    assert metadata.license_expression == "Apache-2.0"
    assert metadata.license_files == ["LICENSE", "THIRD-PARTY-LICENSES"]
    readme = (PYTHON / "README.md").read_text(encoding="utf-8")
    assert (metadata.description or "").strip() == readme.strip()
    assert {"Documentation", "Homepage", "Issues", "Source"} <= set(metadata.project_urls or ())


@each_artefact
def test_the_classifiers_exist(artefact: Path) -> None:
    all_classifiers = set(run("trove-classifiers").splitlines())
    classifiers = headers(metadata_of(artefact)).get_all("Classifier", [])
    assert set(classifiers) <= all_classifiers
    assert "Typing :: Typed" in classifiers
