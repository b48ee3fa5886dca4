"""The sides of a diff as they are given: directories, archives, files, revisions of git, recipes."""
