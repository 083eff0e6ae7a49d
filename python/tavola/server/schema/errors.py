"""Refusals: every reason for not doing what was asked, with a code and words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tavola.errors import shortened
from tavola.server.schema.locale import Language
from tavola.view import Refusal

SHOWN = 20
"""How much of a long list a message says."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A code's HTTP status and its words; `{name}` stands for a parameter."""

    status: int
    en: str
    ja: str


@dataclass(frozen=True, slots=True)
class Wording:
    """Words that are part of a reason's."""

    en: str
    ja: str


REASONS: dict[str, Reason] = {
    # What was asked for does not exist.
    "not-found": Reason(404, "There is nothing at {path}.", "{path} には何もありません。"),
    "method": Reason(405, "{method} is not possible here.", "ここでは {method} は使えません。"),
    "unknown-game": Reason(
        404,
        "There is no game “{game}”. There are: {valid}.",
        "「{game}」というゲームはありません。遊べるのは {valid} です。",
    ),
    "unknown-language": Reason(
        404,
        "There is no language “{language}”. There are: {valid}.",
        "「{language}」という言語はありません。選べるのは {valid} です。",
    ),
    "unknown-match": Reason(
        404, "There is no match “{match}”.", "「{match}」という対局はありません。"
    ),
    # The request itself is wrong.
    "malformed": Reason(
        400,
        "This is not JSON, from byte {byte} on.",
        "JSON として読めません({byte} バイト目から)。",
    ),
    "invalid": Reason(
        422,
        "The request is not as expected at {path}: {fault}.",
        "リクエストの {path} が正しくありません({fault})。",
    ),
    "unknown-option": Reason(
        422,
        "There is no option “{option}”. There are: {valid}.",
        "「{option}」というオプションはありません。選べるのは {valid} です。",
    ),
    "unknown-value": Reason(
        422,
        "The option {option} cannot be “{value}”. It can be: {valid}.",
        "オプション {option} に「{value}」は選べません。選べるのは {valid} です。",
    ),
    "seat-count": Reason(
        422,
        "This game needs {needed} seats, not {given}.",
        "このゲームの席数は {needed} です({given} 席が指定されました)。",
    ),
    "nothing-to-offer": Reason(
        422,
        "Only a match with a seat by link can be offered in the lobby.",
        "ロビーで募集できるのは、リンクで招待する席がある対局だけです。",
    ),
    "unknown-seat": Reason(
        422, "There is no seat {seat} in this match.", "この対局に席 {seat} はありません。"
    ),
    "unknown-cell": Reason(
        422,
        "There is no cell “{cell}” in this position.",
        "この局面に「{cell}」というマスはありません。",
    ),
    "no-proofs": Reason(
        422,
        "Chance decides too much in {game} to say what is certain.",
        "{game} は運に左右されるため、確実なことは言えません。",
    ),
    "rated-proofs": Reason(
        409,
        "While a rated match lasts, nobody is told what is certain.",
        "レーティング戦の対局中は、確実なことは表示されません。",
    ),
    "unknown-place": Reason(
        422,
        "This match has positions 0 to {last}, and no position {place}.",
        "この対局の局面は 0 から {last} までです({place} が指定されました)。",
    ),
    "too-large": Reason(
        413,
        "The request is larger than {limit} bytes.",
        "リクエストが {limit} バイトを超えています。",
    ),
    "too-slow": Reason(
        408,
        "The request did not arrive whole within {seconds} seconds.",
        "リクエスト全体が {seconds} 秒以内に届きませんでした。",
    ),
    "too-fast": Reason(
        429,
        "Too many requests. Please wait a moment.",
        "リクエストが多すぎます。少しお待ちください。",
    ),
    "origin": Reason(
        403,
        "Pages of {origin} may not use this server.",
        "{origin} のページからこのサーバーは使えません。",
    ),
    "no-hello": Reason(
        400,
        "The first message has to be “hello”, within {seconds} seconds.",
        "接続後 {seconds} 秒以内に、最初のメッセージ hello を送ってください。",
    ),
    "too-many-viewers": Reason(
        429, "Too many open connections.", "同時に開いている接続が多すぎます。"
    ),
    # Who asks may not do this.
    "unknown-token": Reason(
        401,
        "One of the seat tokens does not belong to this match.",
        "この対局のものではない席トークンがあります。",
    ),
    "not-your-seat": Reason(
        403, "You do not hold seat {seat}.", "席 {seat} はあなたの席ではありません。"
    ),
    "unknown-invitation": Reason(
        401,
        "This link leads to no seat of this match. You can watch.",
        "このリンクで座れる席はこの対局にはありません。観戦はできます。",
    ),
    "signed-out": Reason(401, "Please sign in first.", "先にログインしてください。"),
    "wrong-sign-in": Reason(
        401,
        "There is no account with this name and password.",
        "名前またはパスワードが違います。",
    ),
    "wrong-password": Reason(403, "The password is not right.", "パスワードが違います。"),
    "too-many-attempts": Reason(
        429,
        "Too many attempts. Please try again in a few minutes.",
        "試行回数が多すぎます。数分後にもう一度お試しください。",
    ),
    "name-length": Reason(
        422,
        "A name has {fewest} to {most} characters.",
        "名前は {fewest}〜{most} 文字にしてください。",
    ),
    "name-characters": Reason(
        422,
        "A name needs letters or digits, and can have no invisible characters.",
        "名前には文字か数字が必要です。見えない文字は使えません。",
    ),
    "name-taken": Reason(
        409, "The name “{name}” is taken.", "「{name}」という名前はすでに使われています。"
    ),
    "password-length": Reason(
        422,
        "A password has {fewest} to {most} characters.",
        "パスワードは {fewest}〜{most} 文字にしてください。",
    ),
    "password-name": Reason(
        422,
        "The password cannot be the name.",
        "名前と同じパスワードは使えません。",
    ),
    "unknown-session": Reason(
        404, "This session has ended already.", "このログインはすでに終了しています。"
    ),
    "claimed": Reason(
        409,
        "Seat {seat} belongs to another account.",
        "席 {seat} は別のアカウントの席です。",
    ),
    "rated-seats": Reason(
        422,
        "A rated match is between different accounts, or accounts and engines with a level.",
        "レーティング戦は、別々のアカウント同士か、レベルのあるコンピュータとの対局です。",
    ),
    "seated-already": Reason(
        409,
        "You have a seat in this rated match already.",
        "このレーティング戦には、あなたの席がすでにあります。",
    ),
    # The match does not allow it now.
    "rated-undo": Reason(
        409,
        "In a rated match nothing is taken back once the turn is over.",
        "レーティング戦では、手番が終わったあとの待ったはできません。",
    ),
    "seat-taken": Reason(
        409,
        "Somebody has taken this seat already. You can watch.",
        "この席にはもう別の人が座っています。観戦はできます。",
    ),
    "not-offered": Reason(
        409,
        "This match is not offered in the lobby any more.",
        "この対局の募集は終わりました。",
    ),
    "reused-token": Reason(
        409,
        "This secret holds another seat of the match.",
        "このトークンは、この対局の別の席で使われています。",
    ),
    "not-over": Reason(
        409,
        "A match can be analysed when it is over.",
        "検討できるのは、対局が終わってからです。",
    ),
    "thought-enough": Reason(
        429,
        "You have used up your time for analysis. More of it comes with every minute.",
        "検討に使える時間を使い切りました。時間は 1 分ごとに少しずつ回復します。",
    ),
    "engines-busy": Reason(
        429,
        "In {most} of your matches an engine waits for its turn to think. Please go on here when "
        "one of them has acted.",
        "あなたの{most}局で、コンピュータが考える順番を待っています。どれかが進んでから、もう一度お試しください。",
    ),
    "stale": Reason(
        409,
        "The match has gone on since; please look again.",
        "対局が先に進んでいます。画面を確かめてください。",
    ),
    "contribution": Reason(
        422,
        "A contribution to the draws is 64 hexadecimal digits (0-9, a-f).",
        "抽選に加える値は、16 進数 64 桁(0-9、a-f)で指定してください。",
    ),
    "not-awaited": Reason(
        409,
        "No contribution of seat {seat} to the draws is awaited.",
        "席 {seat} が抽選に加える値は、もう受け付けていません。",
    ),
    "no-commitment": Reason(
        409,
        "There is nothing to check: the draws of this match follow from no commitment.",
        "この対局には、確かめられる抽選がありません。",
    ),
    "not-revealed": Reason(
        409,
        "The draws can be checked when the match is over.",
        "抽選を確かめられるのは、対局が終わってからです。",
    ),
    "reused-id": Reason(
        409,
        "Another command has had this id.",
        "このコマンド ID は別のコマンドで使われています。",
    ),
    "unknown-line": Reason(
        404, "There is no line {line} in this chat.", "このチャットに {line} 番の発言はありません。"
    ),
    "unknown-echo": Reason(
        409, "No echo of {number} was asked for.", "{number} への応答は求められていません。"
    ),
    "nothing-said": Reason(422, "There is nothing to read in it.", "発言の内容がありません。"),
    "said-enough": Reason(
        429,
        "Too many messages. Please wait a moment.",
        "発言が多すぎます。少し待ってから送ってください。",
    ),
    "cannot-ask": Reason(
        409,
        "This cannot be asked for now. What can be: {valid}.",
        "この申し出はいまはできません。いまできる申し出: {valid}。",
    ),
    "answer-first": Reason(
        409,
        "Another request is waiting for its answer.",
        "先に、出ている申し出に答えてください。",
    ),
    "declined-before": Reason(
        409,
        "It was declined or withdrawn: it can be asked for again after the next action.",
        "断られたか、取り下げた申し出です。次のアクションのあとで、もう一度申し出ることができます。",
    ),
    "nothing-asked": Reason(
        409, "Nothing is asked of this seat.", "この席への申し出はありません。"
    ),
    "paused": Reason(409, "The match is paused.", "対局は一時停止中です。"),
    "over": Reason(409, "The game is over.", "対局は終わっています。"),
    "not-your-turn": Reason(409, "It is not your turn.", "あなたの手番ではありません。"),
    "confirm-first": Reason(
        409,
        "Your turn is complete: confirm it, or take an action back.",
        "この手番のアクションは終わりました。確定するか、待ったをしてください。",
    ),
    "nothing-to-confirm": Reason(409, "There is nothing to confirm.", "確定するものがありません。"),
    "not-replaced": Reason(
        409,
        "No engine plays on for you in seat {seat}.",
        "席 {seat} では、コンピュータはあなたの代わりを務めていません。",
    ),
    "nothing-to-undo": Reason(
        409,
        "There is no action of yours that can be taken back.",
        "待ったのできるアクションがありません。",
    ),
    "ask-for-undo": Reason(
        409,
        "The others have to grant it: ask them to take it back.",
        "相手の同意が必要です。待ったを申し出てください。",
    ),
    "time-up": Reason(
        409,
        "The time for this turn is up: it cannot be taken back.",
        "この手番の時間は終わりました。待ったはできません。",
    ),
    "plan-chance": Reason(
        422,
        "In {game} chance plays a part: turns cannot be planned.",
        "{game} には運の要素があるため、手番の予約はできません。",
    ),
    "plan-own-turn": Reason(
        409,
        "It is your turn: play it. Turns are planned while others act.",
        "いまはあなたの手番です。予約できるのは、ほかの人の手番の間です。",
    ),
    "plan-line": Reason(
        422,
        "Line {line} of the plan cannot be played: there is no action “{token}” there.",
        "予約の {line} 行目のアクション「{token}」は、その局面ではできません。",
    ),
    "plan-unfinished": Reason(
        422,
        "Line {line} of the plan has to end with a whole turn of yours.",
        "予約の {line} 行目は、あなたの手番の終わりまで指定してください。",
    ),
    "plan-twice": Reason(
        422,
        "Line {line} of the plan answers a position with “{token}” that has another answer.",
        "予約の {line} 行目の「{token}」と同じ局面に、別の応手があります。",
    ),
    "plan-changed": Reason(
        409,
        "The plan was changed elsewhere meanwhile; please look again.",
        "別の画面で予約が変更されました。画面を確かめてください。",
    ),
    "no-token": Reason(
        422, "Say which action to play.", "どのアクションを行うか指定してください。"
    ),
    "illegal": Reason(
        422,
        "There is no action “{token}” here. There are: {valid}.",
        "アクション「{token}」はここではできません。できるのは {valid} です。",
    ),
    # The server cannot.
    "rules-changed": Reason(
        409,
        "This match was begun under version {began} of the rules; this server knows version {now}.",
        "この対局はルール第 {began} 版で始められました。このサーバーのルールは第 {now} 版です。",
    ),
    "damaged": Reason(
        500,
        "The log of this match does not lead to its stored positions (event {seq}). "
        "Nothing was changed.",
        "この対局の記録と保存された局面が一致しません(記録 {seq} 番)。何も変更されていません。",
    ),
    "storage": Reason(
        503,
        "It could not be stored and does not count. Please try again.",
        "保存できなかったため、この操作は無効です。もう一度お試しください。",
    ),
    "database": Reason(503, "The database does not answer.", "データベースから応答がありません。"),
    "disk-full": Reason(
        503,
        "There is no room left to store anything.",
        "保存先の空き容量がありません。",
    ),
    "not-writable": Reason(
        503, "The database cannot be written to.", "データベースに書き込めません。"
    ),
    "starting": Reason(
        503,
        "The server is still starting. Please try again in a moment.",
        "サーバーを起動しています。少し待ってから、もう一度お試しください。",
    ),
    "apart": Reason(
        503,
        "The servers cannot reach each other just now. Please try again in a moment.",
        "サーバー同士の接続が一時的に切れています。少し待ってから、もう一度お試しください。",
    ),
    "no-client": Reason(
        503,
        "The browser client has not been built yet: run `make build`.",
        "ブラウザ用クライアントがまだビルドされていません。`make build` を実行してください。",
    ),
    "internal": Reason(
        500,
        "Something went wrong in the server. Nothing was changed.",
        "サーバーで問題が起きました。何も変更されていません。",
    ),
}


FAULTS: dict[str, Wording] = {
    "kind": Wording("{expected} is expected", "{expected}を指定してください"),
    "missing": Wording("“{field}” is missing", "「{field}」がありません"),
    "unknown-field": Wording("“{field}” is unknown", "「{field}」という項目はありません"),
    "unknown-value": Wording("“{value}” is not possible", "「{value}」は使えません"),
    "least": Wording("at least {limit} is expected", "{limit} 以上にしてください"),
    "most": Wording("at most {limit} is expected", "{limit} 以下にしてください"),
    "shortest": Wording(
        "a length of at least {limit} is expected", "長さを {limit} 以上にしてください"
    ),
    "longest": Wording(
        "a length of at most {limit} is expected", "長さを {limit} 以下にしてください"
    ),
    "form": Wording("it has to match {form}", "{form} の形式で指定してください"),
    "range": Wording("the number is too large", "数が大きすぎます"),
    "too-deep": Wording("it is nested too deeply", "入れ子が深すぎます"),
    "nul": Wording("it contains a NUL character", "NUL 文字は使えません"),
    "no-body": Wording("there is no body", "本文がありません"),
    "level-or-seconds": Wording(
        "an engine has a level or seconds, not both",
        "コンピュータには level か seconds の一方だけを指定してください",
    ),
    "other": Wording("it cannot be read", "読み取れません"),
}
"""What `invalid` finds wrong at a place."""

_KINDS = {
    "int": Wording("a whole number", "整数"),
    "float": Wording("a number", "数"),
    "str": Wording("a text", "文字列"),
    "bool": Wording("true or false", "真偽値"),
    "array": Wording("a list", "配列"),
    "object": Wording("an object", "オブジェクト"),
    "null": Wording("null", " null "),
}

_NONE = Wording("none", "なし")

_WORDINGS = {"fault": FAULTS, "expected": _KINDS}
"""The parameters whose values have words themselves."""


class Refused(Exception):
    """The server does not do what it was asked; nothing has changed.

    Args:
        code: A key of `REASONS`.
        refusal: For an illegal action, what the game says of it.
        in_game: The game in whose words the refusal is.
        also: What else is wrong with what was asked.
        params: What stands for the parameters of the words.
    """

    def __init__(
        self,
        code: str,
        *,
        refusal: Refusal | None = None,
        in_game: str = "",
        also: Sequence[Refused] = (),
        **params: Any,
    ) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params
        self.refusal = refusal
        self.in_game = in_game
        self.also = tuple(also)

    @property
    def status(self) -> int:
        """The HTTP status."""
        return REASONS[self.code].status


def told(refused: Refused, language: Language) -> str:
    """Everything that is wrong, in words."""
    sentences = [words(one.code, one.params, language) for one in (refused, *refused.also)]
    return ("" if language == "ja" else " ").join(sentences)


def words(code: str, params: dict[str, Any], language: Language) -> str:
    """The words of a reason, with its parameters filled in."""
    return _filled(REASONS[code], params, language)


def _filled(given: Reason | Wording, params: dict[str, Any], language: Language) -> str:
    text = given.ja if language == "ja" else given.en
    return re.sub(r"\{(\w+)\}", lambda found: _said(found[1], params, language), text)


def _said(name: str, params: dict[str, Any], language: Language) -> str:
    """A parameter in words; of a long list the beginning, as all of it is among the parameters.

    Of a long text that somebody sent, too, only so much as helps.
    """
    value = params[name]
    if (wordings := _WORDINGS.get(name)) is not None:
        any_of = [value] if isinstance(value, str) else value
        said = [_filled(wordings[one], params, language) for one in any_of]
        return ("か" if language == "ja" else " or ").join(said)
    if not isinstance(value, (list, tuple)):
        return shortened(str(value))
    if not value:
        return _filled(_NONE, params, language)
    more = [f"… (+{len(value) - SHOWN})"] if len(value) > SHOWN else []
    return ", ".join([*map(str, value[:SHOWN]), *more])
