"""Notifications in words, for channels outside the page."""

from __future__ import annotations

from tavola.language import Language
from tavola.messages import Messages
from tavola.server import games
from tavola.server.outbox import events
from tavola.server.outbox.delivery import Delivery

_REQUESTS = ("undo", "draw", "pause", "resume", "rematch")


def title(delivery: Delivery) -> str:
    """Return the name of the game, or of the program."""
    if delivery.game is None:
        return "Tavola"
    words = games.info(delivery.game).words
    known = words.get(delivery.language) or words["en"]
    return str(known.get("game.title", delivery.game))


def sentence(delivery: Delivery) -> str:
    """Return what has happened."""
    language: Language = delivery.language
    messages = Messages("tavola.server.outbox", language)
    who = delivery.by or messages("anonymous")
    match delivery.kind, delivery.detail:
        case "challenge", "rematch":
            return messages("rematch")
        case "challenge", events.DECLINED:
            return messages("declined")
        case "challenge", detail if detail is not None and detail.startswith(events.INVITE):
            return messages("invited", who=who)
        case "challenge", _:
            return messages("joined", who=who)
        case "request", detail:
            kind = detail if detail in _REQUESTS else "other"
            return messages(f"request.{kind}", who=who)
        case "chat", _:
            return messages("chat", who=who)
    return messages(delivery.kind)


def link(delivery: Delivery, origin: str) -> str:
    """Return the address of the match, or of the server."""
    return origin + path(delivery)


def path(delivery: Delivery) -> str:
    """Return the path of the match, an invitation's seat, the reports, or the start page."""
    if delivery.kind == "report":
        return "/moderation"
    if delivery.match is None:
        return "/"
    _, invite, seat = (delivery.detail or "").partition(events.INVITE)
    return f"/match/{delivery.match}" + (f"#take={seat}." if invite else "")
