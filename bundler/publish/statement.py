"""The in-toto Statement of a bundle: every file by its digest, and the lock as what is said of them.

It is the layer that a signature covers (in-toto attestation framework, Statement v1); `cosign attest-blob --statement` signs it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bundler.publish.inventory import digest_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.document import JsonObject

__all__ = ["PREDICATE_TYPE", "statement"]

PREDICATE_TYPE = "https://aicr.run/attestation/bundle-lock/v1"


def statement(files: Mapping[str, bytes], lock: JsonObject) -> str:
    """The statement as JSON, the same bytes for the same bundle.

    Args:
        files: every file of the bundle, the inventory too.
        lock: its lock.
    """
    document = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": path, "digest": {"sha256": digest_of(files[path])}} for path in sorted(files)],
        "predicateType": PREDICATE_TYPE,
        "predicate": lock,
    }
    return json.dumps(document, indent=2, sort_keys=True) + "\n"
