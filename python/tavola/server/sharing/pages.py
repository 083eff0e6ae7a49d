"""Pages with link previews (Open Graph), and the page of the widget."""

from __future__ import annotations

from tavola.language import Language
from tavola.messages import Messages, language_property
from tavola.page_template import render
from tavola.server.sharing.card import HEIGHT, WIDTH
from tavola.server.sharing.previews import Preview

__all__ = ["embed_page", "with_preview"]

PREVIEW = "server/sharing/preview.html"
EMBED = "server/sharing/embed.html"
"""The templates."""

_TITLE = b"<title>Tavola</title>"


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
    tags = render(
        PREVIEW,
        preview=preview,
        url=base + path,
        locale=language_property(language, "region"),
        image=base + preview.image if image else None,
        width=WIDTH,
        height=HEIGHT,
    )
    return page.replace(_TITLE, tags.strip().encode(), 1)


def embed_page(match: str, preview: Preview, language: Language) -> bytes:
    """Return the page of the widget: a game to step through, for an `<iframe>`.

    Args:
        match: The id of the match.
        preview: The preview of the match.
        language: The language of the words.
    """
    return render(
        EMBED,
        match=match,
        preview=preview,
        language=language,
        say=Messages("tavola.server.sharing", language),
    ).encode()
