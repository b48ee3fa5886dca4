"""The bundle's layout, its inventory, and how it reaches the disk."""
