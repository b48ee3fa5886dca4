"""Rules over rendered resources."""
