"""The options that several commands share, with their old spellings, which help does not show."""

OUT = ("--out", "--output")
JOBS = ("--jobs", "-j", "--processes", "-p")
OLD_SPELLINGS = frozenset({"--output", "--processes", "-p"})
