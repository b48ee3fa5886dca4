"""Bundle layout, inventory and the atomic write."""
