"""The command `tavola version`."""

from tavola.cli.parameters import Lang


def show_version() -> None:
    """Print the version."""
    import tavola

    print(f"tavola {tavola.__version__}")


def version(lang: Lang = None) -> None:
    """Print the version."""
    show_version()
