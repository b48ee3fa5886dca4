"""What a bundle pulls and where its evidence comes from: images, charts, locks, relocation."""
