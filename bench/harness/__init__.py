"""What bench/run is made of: builds, programs and their figures, rows, two builds in turns, pages."""
