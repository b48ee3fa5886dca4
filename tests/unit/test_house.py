"""Requirements on the house itself: names, sizes, docstrings, rule ids, data files, locks. What a linter cannot know."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from bundler.model.rules import RULES

ROOT = Path(__file__).parents[2]
CODE = sorted((ROOT / "bundler").rglob("*.py"))
PYTHON = [
    *CODE,
    *sorted((ROOT / "tests").rglob("*.py")),
    *sorted((ROOT / "docs").rglob("*.py")),
    *sorted((ROOT / "schemas").rglob("*.py")),
]
AUTHORED = [path for folder in ("recipes", "overlays", "bom") for path in sorted((ROOT / folder).rglob("*.yaml"))]
TEXT_SUFFIXES = {"", ".cfg", ".j2", ".json", ".lock", ".md", ".py", ".toml", ".txt", ".yaml", ".yml"}
TEXT = [
    path
    for top in sorted(ROOT.iterdir())
    if top.name != ".git"  # a file in a worktree
    and (top.name in {".ci", "bom", "bundler", "docs", "manifests", "overlays", "recipes", "schemas", "tests"} or top.is_file())
    for path in sorted([top] if top.is_file() else top.rglob("*"))
    if path.is_file() and path.suffix in TEXT_SUFFIXES and "__pycache__" not in path.parts
]
RULE_ID = re.compile(r"AICR-[A-Z]\d{3}")
MAX_LINES = 350


def name_of(path):
    return str(path.relative_to(ROOT))


def source(path):
    return path.read_text(encoding="utf-8")


def rules_named_in_code():
    return {rule for path in CODE if path.name != "rules.py" for rule in RULE_ID.findall(source(path))}


def test_every_rule_that_the_code_names_is_declared():
    assert rules_named_in_code() - RULES.keys() == set()


def test_every_declared_rule_is_named_by_the_code():
    assert RULES.keys() - rules_named_in_code() == set()


def test_rule_ids_are_unique_and_in_order():
    declared = re.findall(rf'^    \("({RULE_ID.pattern})"', source(ROOT / "bundler/model/rules.py"), flags=re.MULTILINE)
    assert [rule for rule, times in Counter(declared).items() if times > 1] == []
    for letter in {rule[5] for rule in declared}:
        of_letter = [rule for rule in declared if rule[5] == letter]
        assert of_letter == sorted(of_letter)


def test_a_rule_has_a_title_and_a_reason():
    for rule in RULES.values():
        assert rule.title, rule.id
        assert not rule.title.endswith("."), rule.id
        assert rule.why.endswith("."), rule.id


def test_no_module_is_named_for_nothing_in_particular():
    vague = {"utils", "util", "helpers", "helper", "common", "manager", "core", "misc", "shared", "base"}
    assert [name_of(path) for path in CODE if vague & {path.stem, *path.relative_to(ROOT).parts}] == []


def test_a_file_holds_one_concept():
    lengths = {name_of(path): len(source(path).splitlines()) for path in PYTHON if path.name != "rules.py"}
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}, "split it by concept"


def test_a_module_says_what_it_is_and_what_it_offers():
    trees = {name_of(path): ast.parse(source(path)) for path in CODE}
    assert [name for name, tree in trees.items() if not ast.get_docstring(tree)] == [], "a module starts with a docstring"
    unlisted = [name for name, tree in trees.items() if _public(tree) and not _offers(tree)]
    assert unlisted == [], "a module with public names has __all__"


def _public(tree):
    return any(isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_") for node in tree.body)


def _offers(tree):
    assigned = [ast.unparse(target) for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    return "__all__" in assigned


def test_a_record_is_made_by_the_decorator_that_costs_no_start_up():
    standard = re.compile(r"^ *from dataclasses import .*\bdataclass\b", flags=re.MULTILINE)
    assert [name_of(path) for path in CODE if path.name != "dataclass.py" and standard.search(source(path))] == [], (
        "write: from bundler.dataclass import dataclass"
    )


def test_nothing_is_unfinished_and_a_silenced_check_states_its_reason():
    at_fault = re.compile(
        r"#.*\b(TODO|FIXME|XXX)\b|\bNotImplementedError\b"  # unfinished
        r"|#\s*(noqa|type: ignore|pragma)\b[^#(]*$"  # silenced without a reason
    )
    found = {
        name_of(path): lines
        for path in PYTHON
        if path != Path(__file__) and (lines := [line.strip() for line in source(path).splitlines() if at_fault.search(line)])
    }
    assert found == {}


def test_an_authored_file_names_the_schema_that_an_editor_checks_it_with():
    def named(path):
        first = source(path).partition("\n")[0]
        modeline = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
        return modeline is not None and (path.parent / modeline[1]).resolve().is_file()

    assert [name_of(path) for path in AUTHORED if not named(path)] == [], "the first line names a schema that is there"


def test_no_file_names_a_person_or_a_machine():
    telling = re.compile(
        r"(?<![\w.}])/(?:home/(?!kubernetes\b|mpiuser\b)|Users/|root/|work/)\w+"  # a directory of somebody's machine
        r"|(?<![\w.+-])[\w.+-]{1,64}@(?!example\.)[\w-]+\.[a-z]{2,}\b"  # somebody's address
    )
    found = {
        name_of(path): told
        for path in TEXT
        if path != Path(__file__) and (told := telling.findall(path.read_bytes().decode("utf-8", "replace")))
    }
    assert found == {}


LOCKS = ["requirements.lock", "requirements-dev.lock"]


def pins(lock):
    return dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", source(ROOT / lock), flags=re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_pins_with_hashes_and_names_no_registry(lock):
    text = source(ROOT / lock)
    assert "://" not in text
    assert not re.search(r"^--(index-url|extra-index-url|find-links)", text, flags=re.MULTILINE)
    for entry in re.split(r"\n(?=[a-z])", text.strip()):
        assert "--hash=sha256:" in entry, entry


def test_development_runs_with_the_versions_that_are_shipped():
    shipped, developed = (pins(lock) for lock in LOCKS)
    assert shipped.items() <= developed.items()


def test_every_declared_dependency_is_locked():
    import tomllib

    project = tomllib.loads(source(ROOT / "pyproject.toml"))["project"]
    declared = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.match(r"[A-Za-z0-9._-]+", each)[0].lower().replace(".", "-").replace("_", "-") for each in declared}
    assert names - pins("requirements-dev.lock").keys() == set()
