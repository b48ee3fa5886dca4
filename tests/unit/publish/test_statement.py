"""Requirements on the in-toto Statement: every file a subject, the lock the predicate, the same bytes for the same bundle."""

import hashlib
import json

from bundler.publish.statement import PREDICATE_TYPE, statement


def test_every_file_is_a_subject_by_its_digest(made):
    document = json.loads(statement(made.bundle.files, made.bundle.lock))
    assert document["_type"] == "https://in-toto.io/Statement/v1"
    assert {subject["name"]: subject["digest"]["sha256"] for subject in document["subject"]} == {
        path: hashlib.sha256(content).hexdigest() for path, content in made.bundle.files.items()
    }
    assert "checksums.txt" in {subject["name"] for subject in document["subject"]}


def test_what_is_said_of_them_is_the_lock(made):
    document = json.loads(statement(made.bundle.files, made.bundle.lock))
    assert document["predicateType"] == PREDICATE_TYPE
    assert document["predicate"] == made.bundle.lock


def test_it_is_the_same_bytes_whatever_order_the_files_come_in(made):
    backwards = dict(reversed(made.bundle.files.items()))
    assert statement(backwards, made.bundle.lock) == statement(made.bundle.files, made.bundle.lock)
