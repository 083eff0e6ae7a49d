"""Error codes with their HTTP status and messages in both languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tavola.errors import shortened
from tavola.messages import translated
from tavola.server.schema.locale import Language
from tavola.view import Refusal

LIST_LIMIT = 20
"""Number of list items that a message shows."""


@dataclass(frozen=True, slots=True)
class ErrorText:
    """A code's HTTP status and its words; `{name}` stands for a parameter."""

    status: int
    en: str
    ja: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that are part of a reason's."""

    en: str
    ja: str


ERRORS: dict[str, ErrorText] = {
    # Not found or malformed.
    "not-found": ErrorText(404, "There is nothing at {path}.", "{path} には何もありません。"),
    "method": ErrorText(405, "{method} is not possible here.", "ここでは {method} は使えません。"),
    "unknown-game": ErrorText(
        404,
        "There is no game “{game}”. There are: {valid}.",
        "「{game}」というゲームはありません。遊べるのは {valid} です。",
    ),
    "unknown-lesson": ErrorText(
        404,
        "There is no lesson “{lesson}”. There are: {valid}.",
        "「{lesson}」という練習はありません。選べるのは {valid} です。",
    ),
    "unknown-puzzle": ErrorText(
        404, "There is no puzzle “{puzzle}”.", "「{puzzle}」というパズルはありません。"
    ),
    "unknown-step": ErrorText(
        404,
        "This lesson has steps 0 to {last}, and no step {step}.",
        "この練習のステップは 0 から {last} までです({step} が指定されました)。",
    ),
    "unknown-language": ErrorText(
        404,
        "There is no language “{language}”. There are: {valid}.",
        "「{language}」という言語はありません。選べるのは {valid} です。",
    ),
    "unknown-match": ErrorText(
        404, "There is no match “{match}”.", "「{match}」という対局はありません。"
    ),
    # The request itself is wrong.
    "malformed": ErrorText(
        400,
        "This is not JSON, from byte {byte} on.",
        "JSON として読めません({byte} バイト目から)。",
    ),
    "invalid": ErrorText(
        422,
        "The request is not as expected at {path}: {fault}.",
        "リクエストの {path} が正しくありません({fault})。",
    ),
    "unknown-option": ErrorText(
        422,
        "There is no option “{option}”. There are: {valid}.",
        "「{option}」というオプションはありません。選べるのは {valid} です。",
    ),
    "unknown-value": ErrorText(
        422,
        "The option {option} cannot be “{value}”. It can be: {valid}.",
        "オプション {option} に「{value}」は選べません。選べるのは {valid} です。",
    ),
    "seat-count": ErrorText(
        422,
        "This game needs {needed} seats, not {given}.",
        "このゲームの席数は {needed} です({given} 席が指定されました)。",
    ),
    "nothing-to-offer": ErrorText(
        422,
        "Only a match with a seat by link can be offered in the lobby.",
        "ロビーで募集できるのは、リンクで招待する席がある対局だけです。",
    ),
    "unknown-seat": ErrorText(
        422, "There is no seat {seat} in this match.", "この対局に席 {seat} はありません。"
    ),
    "unknown-cell": ErrorText(
        422,
        "There is no cell “{cell}” in this position.",
        "この局面に「{cell}」というマスはありません。",
    ),
    "no-proofs": ErrorText(
        422,
        "Chance decides too much in {game} to say what is certain.",
        "{game} は運に左右されるため、確実なことは言えません。",
    ),
    "rated-proofs": ErrorText(
        409,
        "Forced wins are not shown during rated games.",
        "レーティング戦の対局中は、確実なことは表示されません。",
    ),
    "no-hints": ErrorText(
        409,
        "Hints are for your turn, in unrated games without other people.",
        "ヒントは、ほかの人のいない、レーティング戦でない対局の自分の手番に使えます。",
    ),
    "not-options": ErrorText(
        422,
        "“{word}” is not an option. Options are written NAME=VALUE, separated by spaces.",
        "「{word}」はオプションとして読めません。NAME=VALUE を空白で区切って指定してください。",
    ),
    "not-a-position": ErrorText(
        422, "This is not a position of the game: {faults}.", "この局面は正しくありません: {faults}"
    ),
    "unknown-winner": ErrorText(
        422,
        "“{winner}” is not a result. Use a seat, from 0, or draw.",
        "結果「{winner}」はありません。席(0 から)か draw を指定してください。",
    ),
    "unknown-page": ErrorText(
        422,
        "There is no page after “{after}”. Use the next of the answer before.",
        "「{after}」の次のページはありません。前の応答の next を指定してください。",
    ),
    "unknown-archived": ErrorText(
        404,
        "The archive of {game} has no game {number}.",
        "{game} の棋譜集に第 {number} 局はありません。",
    ),
    "no-images": ErrorText(
        501,
        "This server draws no images. The host can add them: pip install 'tavola[picture]'.",
        "このサーバーは画像を描けません。管理者が pip install 'tavola[picture]' で追加できます。",
    ),
    "drawing-busy": ErrorText(
        503, "Too many pictures are being drawn. Try again soon.", "画像の作成が混み合っています。"
    ),
    "drawing-failed": ErrorText(
        500, "The picture could not be drawn.", "画像を作成できませんでした。"
    ),
    "bad-archive": ErrorText(
        500,
        "The archive of {game} cannot be used: {fault}.",
        "{game} の棋譜集は使えません: {fault}",
    ),
    "unknown-position": ErrorText(
        422,
        "This match has positions 0 to {last}, and no position {ply}.",
        "この対局の局面は 0 から {last} までです({ply} が指定されました)。",
    ),
    "too-large": ErrorText(
        413,
        "The request is larger than {limit} bytes.",
        "リクエストが {limit} バイトを超えています。",
    ),
    "too-slow": ErrorText(
        408,
        "The request did not arrive whole within {seconds} seconds.",
        "リクエスト全体が {seconds} 秒以内に届きませんでした。",
    ),
    "too-fast": ErrorText(
        429,
        "Too many requests. Please wait a moment.",
        "リクエストが多すぎます。少しお待ちください。",
    ),
    "origin": ErrorText(
        403,
        "Pages of {origin} may not use this server.",
        "{origin} のページからこのサーバーは使えません。",
    ),
    "no-hello": ErrorText(
        400,
        "The first message has to be “hello”, within {seconds} seconds.",
        "接続後 {seconds} 秒以内に、最初のメッセージ hello を送ってください。",
    ),
    "too-many-viewers": ErrorText(
        429, "Too many open connections.", "同時に開いている接続が多すぎます。"
    ),
    # Not permitted for this client.
    "unknown-token": ErrorText(
        401,
        "One of the seat tokens does not belong to this match.",
        "この対局のものではない席トークンがあります。",
    ),
    "not-your-seat": ErrorText(
        403, "You do not hold seat {seat}.", "席 {seat} はあなたの席ではありません。"
    ),
    "unknown-invitation": ErrorText(
        401,
        "This link leads to no seat of this match. You can watch.",
        "このリンクで座れる席はこの対局にはありません。観戦はできます。",
    ),
    "signed-out": ErrorText(401, "Please sign in first.", "先にログインしてください。"),
    "wrong-sign-in": ErrorText(
        401,
        "There is no account with this name and password.",
        "名前またはパスワードが違います。",
    ),
    "wrong-password": ErrorText(403, "The password is not right.", "パスワードが違います。"),
    "too-many-attempts": ErrorText(
        429,
        "Too many attempts. Please try again in a few minutes.",
        "試行回数が多すぎます。数分後にもう一度お試しください。",
    ),
    "name-length": ErrorText(
        422,
        "A name has {fewest} to {most} characters.",
        "名前は {fewest}〜{most} 文字にしてください。",
    ),
    "name-characters": ErrorText(
        422,
        "A name needs letters or digits, and can have no invisible characters.",
        "名前には文字か数字が必要です。見えない文字は使えません。",
    ),
    "name-taken": ErrorText(
        409, "The name “{name}” is taken.", "「{name}」という名前はすでに使われています。"
    ),
    "password-length": ErrorText(
        422,
        "A password has {fewest} to {most} characters.",
        "パスワードは {fewest}〜{most} 文字にしてください。",
    ),
    "password-name": ErrorText(
        422, "The password cannot be the name.", "名前と同じパスワードは使えません。"
    ),
    "unknown-day": ErrorText(
        422, "Not a day from {first} to {last}: {day}.", "{first}〜{last} の日付が必要です：{day}"
    ),
    "unknown-session": ErrorText(
        404, "This session has ended already.", "このログインはすでに終了しています。"
    ),
    "claimed": ErrorText(
        409,
        "Seat {seat} belongs to another account.",
        "席 {seat} は別のアカウントの席です。",
    ),
    "rated-seats": ErrorText(
        422,
        "A rated match is between different accounts, or accounts and engines with a level.",
        "レーティング戦は、別々のアカウント同士か、レベルのあるコンピュータとの対局です。",
    ),
    "seated-already": ErrorText(
        409,
        "You have a seat in this rated match already.",
        "このレーティング戦には、あなたの席がすでにあります。",
    ),
    # The match does not allow it now.
    "rated-undo": ErrorText(
        409,
        "In a rated match nothing is taken back once the turn is over.",
        "レーティング戦では、手番が終わったあとの待ったはできません。",
    ),
    "seat-taken": ErrorText(
        409,
        "This seat is already taken. You can watch.",
        "この席はすでに埋まっています。観戦はできます。",
    ),
    "not-offered": ErrorText(
        409,
        "This match is not offered in the lobby any more.",
        "この対局の募集は終わりました。",
    ),
    "reused-token": ErrorText(
        409,
        "This secret holds another seat of the match.",
        "このトークンは、この対局の別の席で使われています。",
    ),
    "not-over": ErrorText(
        409,
        "A match can be analysed when it is over.",
        "検討できるのは、対局が終わってからです。",
    ),
    "thought-enough": ErrorText(
        429,
        "You have used up your time for analysis. More of it comes with every minute.",
        "検討に使える時間を使い切りました。時間は 1 分ごとに少しずつ回復します。",
    ),
    "engines-busy": ErrorText(
        429,
        "In {most} of your matches an engine waits for its turn to think. Please go on here when "
        "one of them has acted.",
        "あなたの{most}局で、コンピュータが考える順番を待っています。どれかが進んでから、もう一度お試しください。",
    ),
    "stale": ErrorText(
        409,
        "The game has moved on. Check the current position.",
        "対局が先に進んでいます。画面を確かめてください。",
    ),
    "contribution": ErrorText(
        422,
        "A contribution to the draws is 64 hexadecimal digits (0-9, a-f).",
        "抽選に加える値は、16 進数 64 桁(0-9、a-f)で指定してください。",
    ),
    "not-awaited": ErrorText(
        409,
        "No contribution of seat {seat} to the draws is awaited.",
        "席 {seat} が抽選に加える値は、もう受け付けていません。",
    ),
    "no-commitment": ErrorText(
        409,
        "There is nothing to check: the draws of this match follow from no commitment.",
        "この対局には、確かめられる抽選がありません。",
    ),
    "not-revealed": ErrorText(
        409,
        "The draws can be checked when the match is over.",
        "抽選を確かめられるのは、対局が終わってからです。",
    ),
    "reused-id": ErrorText(
        409,
        "Another command has had this id.",
        "このコマンド ID は別のコマンドで使われています。",
    ),
    "unknown-line": ErrorText(
        404, "There is no line {line} in this chat.", "このチャットに {line} 番の発言はありません。"
    ),
    "unknown-echo": ErrorText(
        409, "No echo of {number} was asked for.", "{number} への応答は求められていません。"
    ),
    "nothing-said": ErrorText(422, "There is nothing to read in it.", "発言の内容がありません。"),
    "said-enough": ErrorText(
        429,
        "Too many messages. Please wait a moment.",
        "発言が多すぎます。少し待ってから送ってください。",
    ),
    "cannot-ask": ErrorText(
        409,
        "This cannot be asked for now. What can be: {valid}.",
        "この申し出はいまはできません。いまできる申し出: {valid}。",
    ),
    "answer-first": ErrorText(
        409,
        "Another request is waiting for its answer.",
        "先に、出ている申し出に答えてください。",
    ),
    "declined-before": ErrorText(
        409,
        "It was declined or withdrawn: it can be asked for again after the next action.",
        "断られたか、取り下げた申し出です。次のアクションのあとで、もう一度申し出ることができます。",
    ),
    "nothing-asked": ErrorText(
        409, "Nothing is asked of this seat.", "この席への申し出はありません。"
    ),
    "paused": ErrorText(409, "The match is paused.", "対局は一時停止中です。"),
    "over": ErrorText(409, "The game is over.", "対局は終わっています。"),
    "not-your-turn": ErrorText(409, "It is not your turn.", "あなたの手番ではありません。"),
    "confirm-first": ErrorText(
        409,
        "Your turn is complete: confirm it, or take an action back.",
        "この手番のアクションは終わりました。確定するか、待ったをしてください。",
    ),
    "nothing-to-confirm": ErrorText(
        409, "There is nothing to confirm.", "確定するものがありません。"
    ),
    "not-replaced": ErrorText(
        409,
        "No engine plays on for you in seat {seat}.",
        "席 {seat} では、コンピュータはあなたの代わりを務めていません。",
    ),
    "nothing-to-undo": ErrorText(
        409,
        "There is no action of yours that can be taken back.",
        "待ったのできるアクションがありません。",
    ),
    "ask-for-undo": ErrorText(
        409,
        "The others have to grant it: ask them to take it back.",
        "相手の同意が必要です。待ったを申し出てください。",
    ),
    "time-up": ErrorText(
        409,
        "The time for this turn is up: it cannot be taken back.",
        "この手番の時間は終わりました。待ったはできません。",
    ),
    "plan-chance": ErrorText(
        422,
        "In {game} chance plays a part: turns cannot be planned.",
        "{game} には運の要素があるため、予約手は使えません。",
    ),
    "plan-own-turn": ErrorText(
        409,
        "It is your turn: play it. Turns are planned while others act.",
        "いまはあなたの手番です。予約手を登録できるのは、ほかの人の手番の間です。",
    ),
    "plan-line": ErrorText(
        422,
        "Line {line} of the plan cannot be played: there is no action “{token}” there.",
        "予約手の {line} 行目のアクション「{token}」は、その局面ではできません。",
    ),
    "plan-unfinished": ErrorText(
        422,
        "Line {line} of the plan has to end with a whole turn of yours.",
        "予約手の {line} 行目は、あなたの手番の終わりまで指定してください。",
    ),
    "plan-twice": ErrorText(
        422,
        "Line {line} of the plan answers a position with “{token}” that has another answer.",
        "予約手の {line} 行目の「{token}」と同じ局面に、別の応手があります。",
    ),
    "plan-changed": ErrorText(
        409,
        "The plan was changed elsewhere meanwhile; please look again.",
        "別の画面で予約手が変更されました。画面を確かめてください。",
    ),
    "no-token": ErrorText(
        422, "Say which action to play.", "どのアクションを行うか指定してください。"
    ),
    "illegal": ErrorText(
        422,
        "There is no action “{token}” here. There are: {valid}.",
        "アクション「{token}」はここではできません。できるのは {valid} です。",
    ),
    # The server cannot.
    "rules-changed": ErrorText(
        409,
        "This match was begun under version {began} of the rules; this server knows version {now}.",
        "この対局はルール第 {began} 版で始められました。このサーバーのルールは第 {now} 版です。",
    ),
    "unknown-agent": ErrorText(
        404,
        "This server has no agent “{agent}”. There are: {valid}.",
        "このサーバーに「{agent}」というエージェントはありません。選べるのは {valid} です。",
    ),
    "game-missing": ErrorText(
        409,
        "This match is of the game “{game}”, which this server has not loaded. "
        "Restart the server with the game's file: `tavola --game FILE`.",
        "この対局のゲーム「{game}」は、このサーバーに読み込まれていません。"
        "`tavola --game FILE` でゲームのファイルを指定して起動し直してください。",
    ),
    "game-failed": ErrorText(
        500,
        "The rules of {game} failed, and the action does not count: {what}.",
        "{game} のルールでエラーが起きたため、この操作は無効です: {what}",
    ),
    "damaged": ErrorText(
        500,
        "The log of this match does not lead to its stored positions (event {seq}). "
        "Nothing was changed.",
        "この対局の記録と保存された局面が一致しません(記録 {seq} 番)。何も変更されていません。",
    ),
    "storage": ErrorText(
        503,
        "It could not be stored and does not count. Please try again.",
        "保存できなかったため、この操作は無効です。もう一度お試しください。",
    ),
    "database": ErrorText(
        503, "The database does not answer.", "データベースから応答がありません。"
    ),
    "disk-full": ErrorText(
        503,
        "There is no room left to store anything.",
        "保存先の空き容量がありません。",
    ),
    "not-writable": ErrorText(
        503, "The database cannot be written to.", "データベースに書き込めません。"
    ),
    "starting": ErrorText(
        503,
        "The server is still starting. Please try again in a moment.",
        "サーバーを起動しています。少し待ってから、もう一度お試しください。",
    ),
    "apart": ErrorText(
        503,
        "The servers cannot reach each other just now. Please try again in a moment.",
        "サーバー同士の接続が一時的に切れています。少し待ってから、もう一度お試しください。",
    ),
    "no-client": ErrorText(
        503,
        "The browser client has not been built yet: run `make build`.",
        "ブラウザ用クライアントがまだビルドされていません。`make build` を実行してください。",
    ),
    "internal": ErrorText(
        500,
        "Something went wrong in the server. Nothing was changed.",
        "サーバーで問題が起きました。何も変更されていません。",
    ),
}


VALIDATION_FAULTS: dict[str, Phrase] = {
    "kind": Phrase("{expected} is expected", "{expected}を指定してください"),
    "missing": Phrase("“{field}” is missing", "「{field}」がありません"),
    "unknown-field": Phrase("“{field}” is unknown", "「{field}」という項目はありません"),
    "unknown-value": Phrase("“{value}” is not possible", "「{value}」は使えません"),
    "least": Phrase("at least {limit} is expected", "{limit} 以上にしてください"),
    "most": Phrase("at most {limit} is expected", "{limit} 以下にしてください"),
    "shortest": Phrase(
        "a length of at least {limit} is expected", "長さを {limit} 以上にしてください"
    ),
    "longest": Phrase(
        "a length of at most {limit} is expected", "長さを {limit} 以下にしてください"
    ),
    "form": Phrase("it has to match {form}", "{form} の形式で指定してください"),
    "range": Phrase("the number is too large", "数が大きすぎます"),
    "too-deep": Phrase("it is nested too deeply", "入れ子が深すぎます"),
    "nul": Phrase("it contains a NUL character", "NUL 文字は使えません"),
    "no-body": Phrase("there is no body", "本文がありません"),
    "one-engine": Phrase(
        "an engine has a level, seconds or an agent, only one of them",
        "コンピュータには level、seconds、agent のうち1つだけを指定してください",
    ),
    "other": Phrase("it cannot be read", "読み取れません"),
}
"""The problems that an `invalid` error reports."""

_TYPE_NAMES = {
    "int": Phrase("a whole number", "整数"),
    "float": Phrase("a number", "数"),
    "str": Phrase("a text", "文字列"),
    "bool": Phrase("true or false", "真偽値"),
    "array": Phrase("a list", "配列"),
    "object": Phrase("an object", "オブジェクト"),
    "null": Phrase("null", " null "),
}

_NONE = Phrase("none", "なし")

_PARAM_PHRASES = {"fault": VALIDATION_FAULTS, "expected": _TYPE_NAMES}
"""The parameters whose values have words themselves."""


class RequestError(Exception):
    """The server rejects a request; nothing has changed.

    Args:
        code: A key of `ERRORS`.
        refusal: For an illegal action, the reason that the game gives.
        in_game: The name of the game that gives the reason.
        also: The other errors of the same request.
        **params: The parameters of the message.
    """

    def __init__(
        self,
        code: str,
        *,
        refusal: Refusal | None = None,
        in_game: str = "",
        also: Sequence[RequestError] = (),
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
        return ERRORS[self.code].status


def message_of(refused: RequestError, language: Language) -> str:
    """Return the messages of all errors of a request."""
    sentences = [message_for(one.code, one.params, language) for one in (refused, *refused.also)]
    return ("" if language == "ja" else " ").join(sentences)


def message_for(code: str, params: dict[str, Any], language: Language) -> str:
    """Return the message of a code, with its parameters filled in."""
    return _format(ERRORS[code], params, language)


def _format(given: ErrorText | Phrase, params: dict[str, Any], language: Language) -> str:
    text = given.ja if language == "ja" else given.en
    return re.sub(r"\{(\w+)\}", lambda found: _format_param(found[1], params, language), text)


def _format_param(name: str, params: dict[str, Any], language: Language) -> str:
    """Return a parameter in words; of a long list only the beginning.

    Long texts from a client are shortened too.
    """
    value = params[name]
    if (wordings := _PARAM_PHRASES.get(name)) is not None:
        any_of = [value] if isinstance(value, str) else value
        said = [_format(wordings[one], params, language) for one in any_of]
        return ("か" if language == "ja" else " or ").join(said)
    if not isinstance(value, (list, tuple)):
        return shortened(translated(value, language))
    if not value:
        return _format(_NONE, params, language)
    more = [f"… (+{len(value) - LIST_LIMIT})"] if len(value) > LIST_LIMIT else []
    return ", ".join([*map(str, value[:LIST_LIMIT]), *more])
