"""Many bundles in one process: one clusters file, shared parsing, shards, and one summary."""
