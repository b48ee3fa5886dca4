"""The ends towards a cluster: its live API and saved lists of its objects → Snapshot."""
