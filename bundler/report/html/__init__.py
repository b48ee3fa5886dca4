"""One self-contained page about a bundle: a drawing of its fabric, its layers, versions, images, guard and contract."""
