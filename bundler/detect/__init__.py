"""Snapshot → platform, GPU architecture, NIC resources, GKE networks, TCPXO plugin release. Pure functions that never guess."""
