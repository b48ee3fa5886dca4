"""Rows G1 and G2: every field of the fabric, on either side, changed in every way: one finding, which points at both files. Every
field of the benchmark: none.

The fields and the ways are generated from the objects themselves and the contract, so that a new field is covered when it is there.
"""

import copy
import json
from collections import Counter

import pytest

from bundler.guard.contract import Owner, Reads
from bundler.guard.projection import KEYS
from bundler.guard.side import Role
from bundler.model.pointer import child, join, resolve, tokens
from tests.unit.guard.kit import FILES, FIXTURES, case

EXHAUSTIVE = "nccl-all-reduce-tcpxo"
"""The fixture of which every field is changed. Of the others, one field for each line of the contract and each way is."""


def fields(data, cursor, pointer="", field=""):
    """Every value that is classified as a whole, and every one below it: pointer, the contract as seen from there, value."""
    if cursor.line is not None:
        yield pointer, cursor, data
    if isinstance(data, dict):
        for key, value in data.items():
            yield from fields(value, cursor.child(key), child(pointer, key), key)
    elif isinstance(data, list):
        for index, value in enumerate(data):
            named = isinstance(value, dict) and KEYS.get(field) in value
            below = cursor.child(str(value[KEYS[field]])) if named else cursor.child(str(index))
            yield from fields(value, below, f"{pointer}/{index}")


def ways(cursor, value):
    """Name of a change → the value afterwards; None for one that is removed."""
    reads = cursor.line.reads
    yield "remove", None
    if isinstance(value, dict):
        yield "add", {**value, "zzz": "new"}
        yield "retype", [value]
    elif isinstance(value, list):
        yield "retype", {"zzz": value}
        yield "add", [*value, new_entry(value)]
        yield "duplicate", [*value, copy.deepcopy(value[-1])]
        if len(value) > 1:
            yield "reorder", [*value[:-2], value[-1], value[-2]]
    elif reads is Reads.IMAGE:
        yield "change", value[:-1] + ("0" if value[-1] != "0" else "1")
        yield "change to a tag", value.partition("@")[0]
        yield "retype", 7
    elif reads in {Reads.JSON, Reads.YAML}:
        yield from ways_of_text(value)
    elif isinstance(value, bool):
        yield "change", not value
        yield "retype", str(value).lower()
    elif isinstance(value, int):
        yield "change", value + 1
        yield "retype", [value] if reads is Reads.QUANTITY else str(value)
    else:
        yield "change", "3" if reads is Reads.QUANTITY else f"{value}x"
        yield "retype", [value]


def new_entry(value):
    """One more entry of its kind."""
    if not isinstance(value[0], dict):
        return "ZZZ"
    return {key: "/zzz" if key == "mountPath" else "zzz" for key in value[0] if isinstance(value[0][key], str)} | (
        {"image": "registry.example.com/x@sha256:" + "0" * 64} if "image" in value[0] else {}
    )


def ways_of_text(text):
    data = json.loads(text) if text.startswith("[{") else [{"path": line.split()[-1]} for line in text.splitlines()]
    write = json.dumps if text.startswith("[{") else lambda rows: "".join(f"- path: {row['path']}\n" for row in rows)
    last = data[-1]
    yield "change", write([*data[:-1], {**last, next(reversed(last)): f"{last[next(reversed(last))]}x"}])
    yield "remove an entry", write(data[:-1])
    yield "add", write([*data, dict.fromkeys(last, "zzz")])
    yield "duplicate", write([*data, last])
    yield "reorder", write([data[1], data[0], *data[2:]])
    yield "retype", "not a list"


def changed(data, pointer, value):
    """A copy in which the value at a pointer is another, or gone."""
    data = copy.deepcopy(data)
    *above, last = tokens(pointer)
    owner = resolve(data, join(above))
    step = int(last) if isinstance(owner, list) else last
    if value is None:
        del owner[step]
    else:
        owner[step] = value
    return data


def identifies(pointer, data):
    """Whether a value tells its entry from others: a change of it is a change of name."""
    *above, last = tokens(pointer)
    field = above[-2] if len(above) > 1 and above[-1].isdigit() else ""
    return KEYS.get(field) == last and isinstance(resolve(data, join(above)), dict)


def is_entry(pointer, data):
    """Whether a value is an entry of a list by name, which is none when one of its entries is no map."""
    *above, last = tokens(pointer)
    return last.isdigit() and above[-1] in KEYS and isinstance(resolve(data, join(above)), list)


def mutations(fixture, role, owner):
    one = case(fixture)
    data, start, pod = one.data(role), one.contract.start, one.pod(role)
    found = [*fields(resolve(data, pod), start.child("pod"), pod)]
    found += [each for each in fields(data, start.child("object")) if not each[0].startswith(pod)]
    done = Counter()
    for pointer, cursor, value in found:
        for way, after in ways(cursor, value) if cursor.line.owner is owner else ():
            done[cursor.line.path, way, type(value)] += 1
            if after != value and (fixture == EXHAUSTIVE or done[cursor.line.path, way, type(value)] <= 1):
                yield pointer, way, changed(data, pointer, after)


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("fixture", FIXTURES)
def test_g1_each_change_of_a_field_of_the_fabric_is_one_finding_that_points_at_both_files(fixture, role):
    count = 0
    for pointer, way, data in mutations(fixture, role, Owner.FABRIC):
        findings = case(fixture).held(**{str(role): data}).findings
        assert len(findings) == 1, (pointer, way, findings)
        (finding,) = findings
        assert finding.location.file == FILES[Role.FIXTURE], (pointer, way)
        assert [place.location.file for place in finding.related] == [FILES[Role.RUNTIME]], (pointer, way)
        count += 1
    assert count > 30


@pytest.mark.parametrize("fixture", FIXTURES)
def test_g2_no_change_of_a_field_of_the_benchmark_is_a_finding(fixture):
    names = {"/kind", "/metadata"}  # the object itself; without a name, or of another kind, there is nothing to compare
    image = "docker.io/pytorch/pytorch:2.11.0-cuda12.8-cudnn9-runtime"  # another image of the CUDA that every release here wants
    for pointer, way, data in mutations(fixture, Role.FIXTURE, Owner.BENCHMARK):
        before = case(fixture).data(Role.FIXTURE)
        if pointer in names or identifies(pointer, before) or (way == "retype" and is_entry(pointer, before)):
            continue
        if pointer.startswith(case(fixture).pod(Role.FIXTURE)) and pointer.endswith("/image"):
            assert case(fixture).held(fixture=changed(before, pointer, image)).findings == ()
            continue
        assert case(fixture).held(fixture=data).findings == (), (pointer, way)


def test_g2_an_image_of_another_cuda_is_the_benchmarks_and_wrong_all_the_same():
    tcpxo = case("nccl-all-reduce-tcpxo")
    pointer = f"{tcpxo.pod(Role.FIXTURE)}/spec/containers/0/image"
    data = changed(tcpxo.data(Role.FIXTURE), pointer, "nvcr.io/nvidia/pytorch:26.01-py3")
    (finding,) = tcpxo.held(fixture=data).findings
    assert (finding.rule, finding.pointer) == ("AICR-F009", pointer)
    assert finding.message == (
        "in the fixture, 'nvcr.io/nvidia/pytorch:26.01-py3' is built on CUDA 13; release v1.0.15 needs CUDA 12"
    )
