"""Pages with link previews (Open Graph), and the page of the widget."""

from __future__ import annotations

from html import escape

from tavola.language import Language
from tavola.server.sharing.card import HEIGHT, WIDTH
from tavola.server.sharing.previews import Preview

__all__ = ["embed_page", "with_preview"]

_TITLE = b"<title>Tavola</title>"

_LOCALES: dict[Language, str] = {"en": "en_GB", "ja": "ja_JP"}

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "first": "First position",
        "back": "Back",
        "play": "Play",
        "pause": "Pause",
        "forward": "Forward",
        "last": "Last position",
        "place": "Position",
        "open": "Open in Tavola",
        "failed": "The game can't be loaded.",
    },
    "ja": {
        "first": "最初の局面",
        "back": "戻る",
        "play": "再生",
        "pause": "一時停止",
        "forward": "進む",
        "last": "最後の局面",
        "place": "局面",
        "open": "Tavola で開く",
        "failed": "対局を読み込めません。",
    },
}


def with_preview(
    page: bytes, preview: Preview, *, base: str, path: str, language: Language, image: bool
) -> bytes:
    """Return a page of the client with the tags of its link preview.

    Args:
        page: The page of the client.
        preview: The preview.
        base: The address of this server, without a slash at the end.
        path: The path and query of the page.
        language: The language of the preview.
        image: Whether this server can draw its card.
    """
    title, text = escape(preview.title), escape(preview.text)
    tags = [
        f"<title>{title} · Tavola</title>",
        f'<meta name="description" content="{text}" />',
        _meta("og:site_name", "Tavola"),
        _meta("og:type", "website"),
        _meta("og:title", preview.title),
        _meta("og:description", preview.text),
        _meta("og:url", base + path),
        _meta("og:locale", _LOCALES[language]),
        '<meta name="twitter:card" content="summary_large_image" />',
        f'<meta name="twitter:title" content="{title}" />',
        f'<meta name="twitter:description" content="{text}" />',
    ]
    if image:
        address = base + preview.image
        tags += [
            _meta("og:image", address),
            _meta("og:image:type", "image/png"),
            _meta("og:image:width", str(WIDTH)),
            _meta("og:image:height", str(HEIGHT)),
            _meta("og:image:alt", preview.text),
            f'<meta name="twitter:image" content="{escape(address)}" />',
        ]
    return page.replace(_TITLE, "\n    ".join(tags).encode(), 1)


def _meta(name: str, value: str) -> str:
    return f'<meta property="{name}" content="{escape(value)}" />'


def embed_page(match: str, preview: Preview, language: Language) -> bytes:
    """Return the page of the widget: a game to step through, for an `<iframe>`.

    Args:
        match: The id of the match.
        preview: The preview of the match.
        language: The language of the words.
    """
    words = {name: escape(text) for name, text in _WORDS[language].items()}
    title, text, name = escape(preview.title), escape(preview.text), escape(match)
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>{title} · Tavola</title>
<link rel="stylesheet" href="/embed.css">
<script src="/embed.js" defer></script>
</head>
<body data-match="{name}" data-play="{words["play"]}" data-pause="{words["pause"]}"
 data-failed="{words["failed"]}">
<header>
<h1>{title}</h1>
<a href="/match/{name}" target="_blank" rel="noopener">{words["open"]}</a>
</header>
<img id="picture" alt="{text}">
<div id="controls">
<button type="button" id="first" aria-label="{words["first"]}">«</button>
<button type="button" id="back" aria-label="{words["back"]}">‹</button>
<button type="button" id="play" aria-label="{words["play"]}">▶</button>
<button type="button" id="forward" aria-label="{words["forward"]}">›</button>
<button type="button" id="last" aria-label="{words["last"]}">»</button>
<input type="range" id="slider" min="0" max="0" value="0" aria-label="{words["place"]}">
<output id="place" for="slider"></output>
</div>
<p id="text" role="status">{text}</p>
</body>
</html>
""".encode()
