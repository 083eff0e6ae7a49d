"""The command `tavola ugi`."""

from tavola.cli.parameters import Lang


def ugi(lang: Lang = None) -> int:
    """Speak the UGI protocol."""
    from tavola.ugi import serve

    return serve()
