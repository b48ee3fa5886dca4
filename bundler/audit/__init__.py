"""What is asked of bundles: whether one is what it says, whether what measures it is wired alike, what all of them need."""
