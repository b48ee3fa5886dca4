"""What differs between any two sets of resources: objects, fields, lists in order, and what a change is about."""
