"""What applies a bundle: one module a deployer, each a pure function from the content of a bundle to the files that it reads."""
