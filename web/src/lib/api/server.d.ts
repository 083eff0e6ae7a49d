// The types of the server's requests and responses. Made by `npm run types` from schema/server.schema.json: do not edit.
import type {Event, MoveLabel, Refusal, Text, View} from './view';

/** A message of the server over a socket. */
export type ServerMessage =
  | EchoMessage
  | PresenceMessage
  | ChatMessage
  | ReportAckMessage
  | SnapshotMessage
  | UpdateMessage
  | ChangeMessage
  | ChallengesMessage
  | AnalysisMessage
  | StudyMessage
  | AnalysisErrorMessage
  | CommandAckMessage
  | ErrorMessage
  | Pong;

/** Delete the account; the password confirms it. */
export interface AccountDeletion {
  password: string;
}
/** All that is stored of an account, but for its password's hash. */
export interface AccountExport {
  account: AccountInfo;
  sessions: SessionInfo[];
  matches: ExportedMatch[];
  results: OwnResult[];
  plans: OwnConditionalMoves[];
  chat: OwnChatLine[];
  reports: OwnReport[];
  puzzles: PuzzleProgress;
  notifications: OwnNotification[];
  tournaments: OwnTournament[];
  destinations: Destination[];
  tokens: ApiToken[];
  people: People;
  moderation: OwnModeration[];
}
/**
 * The account that is signed in.
 *
 * `bot`: a program plays for it; `roles`: those that the host has given.
 */
export interface AccountInfo {
  name: string;
  created: string;
  ratings: AccountRating[];
  bot: boolean;
  roles?: ('moderator' | 'organizer')[];
}
/** An account's rating in a game, for two seats or for more. */
export interface AccountRating {
  game: string;
  field: 'several' | 'two';
  rating: number;
  deviation: number;
  matches: number;
}
/** An action of the record and its effect. */
export interface Action {
  /** The action or chance outcome. */
  token: string;
  /** The seat that acted; -1 for chance. */
  seat: number;
  /** The number of the turn. */
  turn: number;
  /** The best action, which may be the same; None for chance. */
  best: string | null;
  /** The share that the action lost against the best action; 0 if the difference is within the margin, and for chance. */
  cost: number;
  /** The 95 % margin of error of the cost from sampling. */
  margin: number;
  /** The quality of the action; None for chance. */
  grade: ('best' | 'blunder' | 'good' | 'mistake') | null;
  /** The change of the shares by seat: the cost of a mistake, or the luck of an outcome against the mean of all outcomes. */
  effect: number[];
  /** The remaining change of the shares, which the search saw one action too late. */
  unforeseen: number[];
}
/**
 * An action in force; `events` of the last two turns only.
 *
 * `move`: the action in words without coordinates, or None where `label` has none. `late`: the
 * server acted for the seat, whose time was up; `planned`: it was planned before.
 */
export interface ActionEntry {
  seq: number;
  seat: number;
  turn: number;
  token: string;
  label: Text;
  move: MoveLabel | null;
  events: Event[];
  late: boolean;
  planned: boolean;
}
/** Let an engine enter. */
export interface AddEngine {
  do: 'engine';
  level: number;
}
/**
 * Analyse a position of a finished match.
 *
 * `ply`: its number of actions; `None`: stop the analysis. A new analysis replaces the viewer's
 * last.
 * `line`: what could have been played from there on; the position after that is meant.
 */
export interface AnalyseMessage {
  type: 'analyse';
  ply: number | null;
  line?: string[];
}
/** The analysis has ended, and why. */
export interface AnalysisErrorMessage {
  type: 'analysis-refused';
  error: ErrorResponse;
}
/**
 * The value of a position of a finished match after this many seconds of search.
 *
 * `final`: no more comes.
 */
export interface AnalysisMessage {
  type: 'analysis';
  ply: number;
  line: string[];
  seconds: number;
  final: boolean;
  position: Position;
}
/** An API token without its secret; `used`: when it was used last, within ten minutes. */
export interface ApiToken {
  id: string;
  name: string;
  scopes: ('challenge' | 'play' | 'read' | 'tournament')[];
  created: string;
  expires: string | null;
  used: string | null;
}
/** A new API token, with its secret, which is sent only here. */
export interface ApiTokenCreated {
  token: ApiToken;
  secret: string;
}
/** A page of the archive. */
export interface ArchivePage {
  /** The games: this server's, the latest first, or engine games in their order. */
  games: ArchivedGame[];
  /** The number of all games found. */
  count: number;
  /** The value of `after` for the next page, or None. */
  next: string | null;
}
/** A game of the archive. */
export interface ArchivedGame {
  /** The match, or the number of the engine game. */
  id: string;
  /** The options of the game, as in a record. */
  options: string;
  /** The players. An engine without a level has its specification as its name. */
  seats: SeatInfo[];
  /** The seats that won; empty for a draw. */
  winners: number[];
  /** Why it ended: a code of the game or of the server; empty for engine games. */
  reason: string;
  /** The number of actions and random events. */
  length: number;
  /** When, in ISO format; None for engine games. */
  ended: string | null;
  /** The number of actions before the position that was searched, or None. */
  ply: number | null;
}
/** The breakdown of a seat's share: `end = start + luck + own + others + unforeseen`. */
export interface Balance {
  /** The seat. */
  seat: number;
  /** The expected share at the start. */
  start: number;
  /** The effect of chance. */
  luck: number;
  /** The effect of the seat's own mistakes, at most 0. */
  own: number;
  /** The effect of the mistakes of other seats. */
  others: number;
  /** The changes that the search did not foresee. */
  unforeseen: number;
  /** The expected share at the end; of a finished game, the result. */
  end: number;
}
/** A match in the lobby that waits for a player; `since`: when it was created. */
export interface Challenge {
  match: string;
  game: string;
  options: {
    [k: string]: string;
  };
  seats: SeatInfo[];
  time: (TurnTime | MainTime | DaysTime) | null;
  since: string;
  rated: boolean;
}
/** All that are in the lobby now, the oldest first. */
export interface ChallengesMessage {
  type: 'challenges';
  challenges: Challenge[];
}
/** The public data about random draws; see `docs/explanation/fairness.md`. */
export interface ChanceInfo {
  /** The SHA-256 of the seed, in hexadecimal. */
  commitment: string;
  /** The seats that are still to contribute; until then nothing is drawn. */
  awaited: number[];
  /** The seed in hexadecimal; `None` until the match is over. */
  seed: string | null;
  /** By seat, what it contributed, in hexadecimal; `None` until the match is over. */
  contributions: (string | null)[] | null;
}
/** An update for a viewer that has the previous snapshot; `changes`: as in `patch.py`. */
export interface ChangeMessage {
  type: 'change';
  seq: number;
  changes: {
    [k: string]: unknown;
  };
}
/** A chat line. */
export interface ChatLine {
  id: number;
  seat: number;
  text: string;
  at: string;
}
/** Lines of the chat: the `whole` after hello and when some were deleted; else each new one. */
export interface ChatMessage {
  type: 'chat';
  lines: ChatLine[];
  whole: boolean;
}
/**
 * The state of the clock.
 *
 * `remaining`: the seconds of every seat; `None`: it has no clock, or it does not matter now.
 * `running`: the seat whose time runs, or `None`.
 */
export interface ClockState {
  time: TurnTime | MainTime | DaysTime;
  remaining: (number | null)[];
  running: number | null;
}
/** A seat's command, and the sequence number that the client has. */
export interface Command {
  id: string;
  seq: number;
  seat: number;
  do:
    'accept' | 'ask' | 'confirm' | 'contribute' | 'decline' | 'play' | 'resign' | 'return' | 'undo';
  token?: string | null;
}
/** A command is durable. */
export interface CommandAckMessage {
  type: 'done';
  id: string;
  seq: number;
}
/** A command. */
export interface CommandMessage {
  type: 'command';
  id: string;
  seq: number;
  seat: number;
  do:
    'accept' | 'ask' | 'confirm' | 'contribute' | 'decline' | 'play' | 'resign' | 'return' | 'undo';
  token?: string | null;
}
/** The answer to a command over HTTP; `seq`: the event that it made. */
export interface CommandResult {
  seq: number;
  snapshot: Snapshot;
}
/**
 * The part of a snapshot that is the same for all viewers.
 *
 * `declined`: what became of the last request, if it was not granted and nothing has happened
 * since. `next`: the match that was agreed on after it. `series`: the score, if it is a rematch.
 * `tournament`: the id of the tournament that it belongs to.
 */
export interface CommonState {
  match: string;
  game: string;
  options: {
    [k: string]: string;
  };
  rules_version: number;
  seq: number;
  confirm: boolean;
  status: 'confirming' | 'over' | 'playing';
  acting: number | null;
  result: MatchResult | null;
  log: ActionEntry[];
  clock: ClockState | null;
  request: RequestState | null;
  declined: DeclinedRequest | null;
  paused: boolean;
  next: string | null;
  series: SeriesScore | null;
  chance: ChanceInfo | null;
  rated: boolean;
  tournament: string | null;
}
/**
 * A seat's conditional moves, from the position of this snapshot on; no lines: none.
 *
 * A line is played from that position: what the others do, and what the seat answers. `version`:
 * of the plan that it takes the place of, as it was told.
 */
export interface ConditionalMovesRequest {
  seat: number;
  seq: number;
  version: string;
  lines: string[][];
}
/**
 * A seat's remaining conditional moves, from the position of this snapshot on.
 *
 * `version`: of the plan as it was saved; empty: there is none. `cancelled`: another seat
 * left the planned lines or the position of the plan was undone, and the seat has not acted since.
 */
export interface ConditionalMovesState {
  seat: number;
  seq: number;
  version: string;
  lines: string[][];
  cancelled: boolean;
}
/** A line of a chat with the name at its seat. */
export interface ContextLine {
  id: number;
  seat: number;
  name: string;
  text: string;
  at: string;
}
/** Set the result of a board. */
export interface CorrectBoard {
  do: 'correct';
  round: number;
  board: number;
  /** The place of each seat; equal seats share one. */
  places: number[];
}
/** Name and password; with `bearer` the session comes as a token instead of a cookie. */
export interface Credentials {
  name: string;
  password: string;
  bearer?: boolean;
}
/**
 * The account that is signed in, or `None`.
 *
 * `announcement`: the line that the host shows to all visitors, by language.
 */
export interface CurrentAccount {
  account: AccountInfo | null;
  announcement?: {
    [k: string]: string;
  };
}
/** Days per turn; a player without time loses. */
export interface DaysTime {
  kind: 'days';
  days: number;
}
/** A request that was declined. */
export interface DeclinedRequest {
  /** The seat that asked. */
  seat: number;
  /** The seat that declined it; its own seat withdrew it. */
  by: number;
}
/** Change name and description. */
export interface DescribeTournament {
  do: 'describe';
  name: string;
  description?: string;
}
/** An action in words, with its cells. */
export interface DescribedAction {
  /** The seat; -1 for a random event. */
  seat: number;
  /** The token. */
  token: string;
  /** The action in words, with coordinates. */
  label: Text | null;
  /** The action as the list of moves shows it. */
  move: MoveLabel | null;
  /** The cells of the action, in order. */
  cells: string[];
}
/**
 * A destination of the account; the first one is the bell.
 *
 * `address`: the URL of a webhook or an e-mail address, empty otherwise. `agent`: a browser, as it
 * calls itself. `failed`: when the last delivery failed, or `None`. `confirmed`: whether
 * notifications go there; a new e-mail address waits until its link is opened.
 */
export interface Destination {
  id: string;
  channel: 'bell' | 'email' | 'push' | 'webhook';
  address: string;
  agent: string;
  kinds: ('challenge' | 'chat' | 'over' | 'report' | 'request' | 'round' | 'time' | 'turn')[];
  created: string;
  failed: string | null;
  confirmed: boolean;
  email: EmailOptions | null;
}
/** The kinds of notifications that go to a destination; of an e-mail address also when. */
export interface DestinationSettings {
  kinds: ('challenge' | 'chat' | 'over' | 'report' | 'request' | 'round' | 'time' | 'turn')[];
  email?: EmailOptions | null;
}
/**
 * The destinations of the account, and the channels that the host has switched on.
 *
 * `push_key`: the public key of this server for browsers, or `None`.
 */
export interface Destinations {
  channels: ('email' | 'push' | 'webhook')[];
  push_key: string | null;
  destinations: Destination[];
}
/** The answer to the server's `echo`, at once and with its number. */
export interface Echo {
  type: 'echo';
  number: number;
}
/** To be answered at once: the server measures how long it takes. */
export interface EchoMessage {
  type: 'echo';
  number: number;
}
/** The link of a mail. */
export interface EmailLink {
  link: string;
}
/**
 * When an address receives mail.
 *
 * `zone`: the time zone of the hours, such as `Asia/Tokyo`. `digest`: the hour of one mail a day;
 * `None`: at once, but for the `quiet` hours from the first to before the second.
 */
export interface EmailOptions {
  zone: string;
  digest: number | null;
  quiet: [number, number] | null;
}
/**
 * That the engine to act failed. The match waits for another try, or for another engine.
 *
 * `missing`: the host has not added this agent; `text`: what happened, by language.
 */
export interface EngineFailure {
  seat: number;
  missing: boolean;
  text: {
    [k: string]: string;
  };
}
/**
 * A seat for an engine: one of the game's eight levels, an agent of the host, or the best.
 *
 * The best thinks this long about an action: a second if nothing is said.
 */
export interface EngineSeat {
  kind: 'engine';
  level?: number | null;
  seconds?: number | null;
  agent?: string | null;
  name?: string;
}
/** A command, or a message without an id, was refused; nothing changed. */
export interface ErrorMessage {
  type: 'refused';
  id: string | null;
  error: ErrorResponse;
}
/** An error. */
export interface ErrorResponse {
  code: string;
  params: {
    [k: string]: unknown;
  };
  message: string;
  refusal?: Refusal | null;
}
/** Why nothing can be done by touching some cells. */
export interface Explanation {
  refusal: Refusal | null;
}
/** A position with the actions that were played in it. */
export interface Explored {
  /** The seat to act, -1 for chance, None after the end. */
  seat: number | null;
  /** The number of this server's games with the position. */
  server: number;
  /** The number of engine games with the position. */
  engines: number;
  /** Whether there are engine games with these options. */
  has_engines: boolean;
  /** The actions that were played, the most frequent one first. */
  actions: PlayedAction[];
}
/** A match of the account's in an export; `record` is `None` if it cannot be read any more. */
export interface ExportedMatch {
  match: string;
  game: string;
  options: {
    [k: string]: string;
  };
  created: string;
  rated: boolean;
  seats: number[];
  record: string | null;
  events: OwnEvent[];
}
/** All that is needed to repeat the draws of a finished match. */
export interface FairnessReport {
  commitment: string;
  seed: string;
  contributions: (string | null)[];
  draws: RandomEvent[];
}
/** A forced result: with correct play it can no longer change. */
export interface ForcedResult {
  /** The seats that win; empty for a draw. */
  winners: number[];
  /** The maximum number of actions until the win; None if unknown. */
  actions: number | null;
  /** The number of turns until the win against the longest defence, including the current turn; None if unknown. */
  turns: number | null;
}
/** A forced win: the seat, and the maximum number of actions until then. */
export interface ForcedWin {
  winner: number;
  plies: number;
}
/** The result of a forced-win search; a proof, not an estimate. */
export interface ForcedWinReport {
  /** The snapshot's number. */
  seq: number;
  /** The depth of the exhaustive search. */
  plies: number;
  /** The forced win, or None if there is none so soon. */
  proof: ForcedWin | null;
}
/** A person whom the account follows and who follows it; `playing`: a game to watch. */
export interface Friend {
  name: string;
  online: boolean;
  playing: string | null;
  game: string | null;
}
/** A game with what its board needs. */
export interface GameInfo {
  name: string;
  /**
   * @minItems 2
   * @maxItems 2
   */
  seats: [number, number];
  rules_version: number;
  has_chance: boolean;
  has_draws: boolean;
  proofs: boolean;
  options: OptionInfo[];
  levels: LevelInfo[];
  weight: number;
  minutes: [number, number] | null;
  single: boolean;
  /** All texts of the game, by language. */
  words: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
  /** The drawings of its pieces and cells, as SVG. */
  symbols: string;
  /** Its colours and the form of its board. */
  theme: {
    [k: string]: unknown;
  };
}
/** The lessons of a game, the first one first. */
export interface GameLessons {
  game: string;
  lessons: LessonInfo[];
}
/** The puzzles of a game, and the themes that they have. */
export interface GamePuzzles {
  game: string;
  themes: ThemeInfo[];
  puzzles: PuzzleInfo[];
}
/** A game in the list of games. */
export interface GameSummary {
  name: string;
  /**
   * @minItems 2
   * @maxItems 2
   */
  seats: [number, number];
  rules_version: number;
  has_chance: boolean;
  has_draws: boolean;
  /** Whether the server searches for forced wins. */
  proofs: boolean;
  options: OptionInfo[];
  /** The engine levels, the weakest first. */
  levels: LevelInfo[];
  /** From 1, a light game, to 3, a heavy one. */
  weight: number;
  /** The least and the most minutes that a game takes, if its designer says so. */
  minutes: [number, number] | null;
  /** Whether a turn is one action, so that new matches do not ask to confirm it. */
  single: boolean;
  /** The texts about the game, its options and its seats, by language. */
  words: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
}
/** A heading of a rule book. */
export interface Heading {
  level: number;
  id: string;
  title: string;
}
/** That the server and its database answer. */
export interface Health {
  status: 'ok';
  version: string;
}
/**
 * The first message: seat tokens, and the language of errors.
 *
 * `changes`: whether to send patches instead of whole snapshots.
 */
export interface Hello {
  type: 'hello';
  tokens?: string[];
  language?: string | null;
  changes?: boolean;
}
/** The action that a short search prefers. */
export interface Hint {
  /** The snapshot that it is about. */
  seq: number;
  /** The action. */
  token: string;
  /** The action as the list of moves shows it. */
  move: MoveLabel | null;
  /** Why, the most important reason first. */
  reasons: HintReason[];
}
/** Why an action is good. */
export interface HintReason {
  /** `wins` by force; `prevents` a loss; `threatens` a win; `gains` counters; `chances`, the share of the game that the search expects. */
  code: 'chances' | 'gains' | 'prevents' | 'threatens' | 'wins';
  /** `wins`: within this many actions, or None. `prevents`: the actions that lose. `threatens`: the replies that lose. `gains`: how much. `chances`: in per cent. */
  n: number | null;
  /** `prevents`: all actions. `threatens`: all replies. */
  count: number | null;
  /** `gains`: the counter. */
  label: Text | null;
}
/** Enter a tournament, with the account that is signed in or as a guest. */
export interface JoinTournament {
  do: 'join';
  /** The secret of a guest, which holds the seats of all matches of the guest. */
  token?: string | null;
  /** The name of a guest. */
  name?: string;
}
/**
 * A line of a ranking list: an account by its name, or an engine by its level.
 *
 * `established`: the rating is certain enough for a rank; `yours`: the account signed in.
 */
export interface LeaderboardRow {
  rating: number;
  deviation: number;
  matches: number;
  established: boolean;
  name?: string | null;
  level?: number | null;
  yours?: boolean;
}
/** A game's ranking lists: of matches of two seats, and of more. */
export interface Leaderboards {
  two: LeaderboardRow[];
  several: LeaderboardRow[];
}
/** Be paired no more; the organizer names a `player`. */
export interface LeaveTournament {
  do: 'leave';
  player?: number | null;
}
/** A lesson. */
export interface LessonInfo {
  /** The id, unique in the game. */
  id: string;
  /** The title. */
  title: {
    [k: string]: string;
  };
  /** The subject. */
  about: {
    [k: string]: string;
  };
  /** The time that it takes, in minutes. */
  minutes: number;
  /** The tasks, in order. */
  steps: StepInfo[];
}
/** A position of a lesson, and what came of the player's try. */
export interface LessonPosition {
  /** `playing`: the player has to act. `done`: the task is solved. `wrong`: it is missed. */
  status: 'done' | 'playing' | 'wrong';
  /** The seat of the player. */
  seat: number;
  /** The seat to act; `None` if the game is over. */
  acting: number | null;
  /** The position as the player sees it, with actions while playing. */
  view: View;
  /** All actions of this step, with chance outcomes and replies. */
  log: ActionEntry[];
  /** The lesson learnt, or why the try is wrong; `None`: the common answer. */
  text: {
    [k: string]: string;
  } | null;
  /** The next action of a solution; `None` if the try leads to none. */
  hint: string | null;
}
/** The measures of an engine level. */
export interface LevelInfo {
  /** The number of actions within which it sees every forced result. */
  lookahead: number;
  /** The blunder rate, 0 for none. */
  blunders: number;
}
/** A possible action and its value. */
export interface Line {
  /** The token of the action. */
  action: string;
  /** The expected share by seat after the action. */
  shares: number[];
  /** The 95 % margins of error of the shares from sampling; 0 if proven. */
  margins: number[];
  /** The number of simulations that began with the action. */
  visits: number;
  /** The best line, beginning with the action. */
  variation: string[];
  /** Whether the shares are proven. */
  proven: boolean;
}
/** A seat for the first player to open its link. */
export interface LinkSeat {
  kind: 'link';
}
/** A match on the Live page. */
export interface LiveBoard {
  match: string;
  game: string;
  /** The number of the shown event. */
  seq: number;
  seats: SeatInfo[];
  /** The seat to act; `None` if the match is over, or chance is to act. */
  acting: number | null;
  /** Whether the match has ended. */
  over: boolean;
  /** The number of spectators. */
  watching: number;
  /** How many seconds later spectators see the match. */
  delay: number;
}
/**
 * An update for a viewer that has the boards before it; `changes`: as in `patch.py`.
 *
 * `views` loses the views of matches that have no board any more.
 */
export interface LiveChangeMessage {
  type: 'change';
  changes: {
    [k: string]: unknown;
  };
}
/** The boards now, the best first, and their views, by match. */
export interface LiveMessage {
  type: 'live';
  boards: LiveBoard[];
  views: {
    [k: string]: View;
  };
}
/** Seconds for the match, and an increment per turn; a player without time loses. */
export interface MainTime {
  kind: 'main';
  seconds: number;
  increment: number;
  /** The seconds of each seat, if they differ. */
  odds?: number[];
}
/** A new match, with the secrets of its seats, which are sent only here. */
export interface MatchCreated {
  /** Its id. */
  match: string;
  /** The token of each person's seat. */
  tokens: (string | null)[];
  /** The invitation of each seat by link. */
  invitations: (string | null)[];
  /** The commitment to the seed, as in `ChanceInfo`. */
  commitment: string | null;
}
/**
 * How the match ended; `text`, unless the game's own rules did not end it: the `reason` did.
 *
 * `loser`: who resigned, or whose time was up.
 */
export interface MatchResult {
  winners: number[];
  returns: number[];
  reason: string;
  text: Text | null;
  loser: number | null;
}
/** A match in short: whose turn it is (`acting`), since when, and how it ended (`reason`). */
export interface MatchSummary {
  match: string;
  game: string;
  seq: number;
  seats: SeatInfo[];
  status: 'confirming' | 'over' | 'playing';
  acting: number | null;
  since: string;
  winners: number[] | null;
  rated: boolean;
  reason: string | null;
}
/** An act of a moderator on a reported line; `hours`: of a mute, `None`: for good. */
export interface ModeratorAct {
  do: 'close' | 'delete' | 'mute';
  hours?: number | null;
}
/** A new API token; `days`: after which it expires, `None`: never. */
export interface NewApiToken {
  name: string;
  scopes: ('challenge' | 'play' | 'read' | 'tournament')[];
  days: number | null;
  password: string;
}
/** A chat line of a seat, over HTTP. */
export interface NewChatLine {
  seat: number;
  text: string;
}
/**
 * A new destination.
 *
 * `address`: the URL of a webhook, the endpoint of a browser, or an e-mail address. `keys`: those
 * of a browser. `email` and `password`: of an e-mail address, the options and the password of the
 * account, because the address may set a new one.
 */
export interface NewDestination {
  channel: 'email' | 'push' | 'webhook';
  address: string;
  kinds: ('challenge' | 'chat' | 'over' | 'report' | 'request' | 'round' | 'time' | 'turn')[];
  keys?: PushKeys | null;
  email?: EmailOptions | null;
  password?: string;
}
/** A new destination; `secret`: the key of a webhook's signature, shown once. */
export interface NewDestinationResult {
  destination: Destination;
  secret?: string | null;
}
/** A new match: game, options and seats. */
export interface NewMatch {
  game: string;
  seats: (PersonSeat | LinkSeat | EngineSeat)[];
  options?: {
    [k: string]: string | number;
  };
  confirm?: boolean;
  /** The time control of persons. */
  time?: (TurnTime | MainTime | DaysTime) | null;
  /** Whether chance waits until every person's seat has contributed to its draws. */
  contribute?: boolean;
  /** Whether the seats by link are also offered in the lobby. */
  lobby?: boolean;
  /** Whether the match counts for the ratings of those who play it. */
  rated?: boolean;
  /** The name of an account that is invited to the first seat by link. */
  to?: string | null;
}
/** A new password for the old one. */
export interface NewPassword {
  old: string;
  new: string;
}
/**
 * Progress with puzzles to merge into the account's.
 *
 * `results`: how puzzles ended, by `GAME/ID`: 1 without, 0 with mistakes or help. `days`: the
 * days on which the puzzle of the day was solved without help, such as `2026-11-25`.
 */
export interface NewPuzzleProgress {
  results?: {
    [k: string]: 0 | 1;
  };
  days?: string[];
}
/** A new tournament. */
export interface NewTournament {
  settings: TournamentSettings;
  /** A secret by which the organizer is known without an account: 32 random bytes, in URL-safe base64. */
  token?: string | null;
}
/**
 * An event that a person should hear of.
 *
 * `by`: the name of the player who caused it, empty without a name. `detail`: of a request, its
 * kind.
 */
export interface Notification {
  id: number;
  kind: 'challenge' | 'chat' | 'over' | 'report' | 'request' | 'round' | 'time' | 'turn';
  at: string;
  match: string | null;
  game: string | null;
  by: string | null;
  detail: string | null;
}
/**
 * Unread notifications, the latest first; `unread`: how many there are in all.
 *
 * `announcement`: the line that the host shows to all visitors, by language.
 */
export interface NotificationList {
  unread: number;
  notifications: Notification[];
  announcement?: {
    [k: string]: string;
  };
}
/** The first message of a client: the tokens of its seats. */
export interface NotificationsHello {
  tokens?: string[];
}
/**
 * Marks notifications as read: those of these ids, or all.
 *
 * `tokens`: the tokens of the seats of a guest.
 */
export interface NotificationsRead {
  ids?: number[] | null;
  tokens?: string[];
}
/** The score of a person against another, or against a level of the computer. */
export interface OpponentScore {
  score: Score;
  name?: string | null;
  level?: number | null;
}
/** An option with its values, the default first. */
export interface OptionInfo {
  name: string;
  values: string[];
}
/** A chat line from one of the account's seats. */
export interface OwnChatLine {
  match: string;
  seat: number;
  at: string;
  text: string;
}
/** Conditional moves of one of the account's seats, from the position after `after` actions. */
export interface OwnConditionalMoves {
  match: string;
  seat: number;
  after: number;
  lines: string[][];
}
/**
 * An entry of a match's log that is of one of the account's seats.
 *
 * Undone actions are among them, and so is the undo; `spent`: for how many milliseconds
 * a clock had run since the entry before.
 */
export interface OwnEvent {
  seq: number;
  seat: number;
  kind: string;
  token: string | null;
  at: string;
  spent: number;
}
/** The account's matches, the latest first; `more`: a cursor if there are older ones. */
export interface OwnMatches {
  matches: MatchSummary[];
  more: string | null;
}
/** An act of the host or a moderator on the account, or of the account as a moderator. */
export interface OwnModeration {
  act: string;
  at: string;
  detail: string;
}
/** A notification to the account; `read`: when it was read, or `None`. */
export interface OwnNotification {
  kind: string;
  match: string | null;
  seat: number | null;
  detail: string | null;
  at: string;
  read: string | null;
}
/** A line of a chat, by its number, that one of the account's seats has reported. */
export interface OwnReport {
  match: string;
  seat: number;
  line: number;
  at: string;
}
/** The change of the account's rating by a rated match, and when. */
export interface OwnResult {
  match: string;
  seat: number;
  at: string;
  before: number;
  after: number;
}
/** A tournament of the account; `number`: as a player, `None`: as the organizer. */
export interface OwnTournament {
  tournament: string;
  name: string;
  number: number | null;
  at: string;
}
/** The match has begun; the token holds this seat. */
export interface PairedMessage {
  type: 'paired';
  match: string;
  seat: number;
}
/** The first message of a player who looks for opponents. */
export interface PairingHello {
  game: string;
  /** The time control, the same for all seats. */
  time: TurnTime | MainTime | DaysTime;
  /** The secret that will hold the seat: 32 random bytes, in URL-safe base64. */
  token: string;
  options?: {
    [k: string]: string | number;
  };
  /** The name of a guest. */
  name?: string;
  /** The language of errors. */
  language?: string | null;
}
/** The people of the account, by name. */
export interface People {
  /** Whether its profile shows nothing but the name. */
  private: boolean;
  /** When a page of it was last open, if another account follows it. */
  seen: string | null;
  /** Those whom it follows and who follow it. */
  friends: Friend[];
  /** The others whom it follows. */
  following: string[];
  /** The others who follow it. */
  followers: string[];
  /** Those whom it blocks. */
  blocked: string[];
}
/**
 * The viewer's options now, apart from acting.
 *
 * `drawn`: a random event followed, so it cannot be undone. `ask`: the possible requests.
 * `if_away`: those about another player, possible while that player is away. `blocked`: the
 * declined requests, which may not be repeated before another event. `reclaimable`: the own seats
 * that an engine plays and that its player may take over again.
 */
export interface Permissions {
  undo: boolean;
  drawn: boolean;
  confirm: boolean;
  resign: boolean;
  ask: string[];
  if_away: string[];
  blocked: string[];
  reclaimable: number[];
}
/** A finished game of a person. */
export interface PersonGame {
  id: string;
  options: string;
  seats: SeatInfo[];
  winners: number[];
  reason: string;
  length: number;
  ended: string | null;
  ply: number | null;
  game: string;
}
/** Finished games of a person, the latest first; `next`: the next page's `after`, or None. */
export interface PersonGames {
  games: PersonGame[];
  next: string | null;
}
/** A seat for a person. */
export interface PersonSeat {
  kind: 'person';
  name?: string;
}
/** Checks the connection. */
export interface Ping {
  type: 'ping';
}
/** An action of a position with its results. */
export interface PlayedAction {
  /** The action or random event. */
  token: string;
  /** Its words. */
  label: Text;
  /** The action as in the list of moves, or None where `label` has none. */
  move: MoveLabel | null;
  /** The number of games. */
  count: number;
  /** The number of games that each seat won. */
  won: number[];
  /** The number of draws. */
  drawn: number;
  /** The mean share of the win of each seat, 1 in sum. */
  shares: number[];
}
/** The client is connected. */
export interface Pong {
  type: 'pong';
}
/** A position of the record and its value. */
export interface Position {
  /** The position text. */
  text: string;
  /** The number of the turn. */
  turn: number;
  /** The seat to act, -1 for chance, None when the game is over. */
  to_act: number | null;
  /** The expected share by seat. */
  shares: number[];
  /** The 95 % margins of error of the shares from sampling. */
  margins: number[];
  /** The best actions, the best first; for chance, all outcomes in their order. */
  lines: Line[];
  /** The forced result, if there is one. */
  certain: ForcedResult | null;
  /** The number of searched nodes. */
  nodes: number;
}
/** The expected value of a position for each seat. */
export interface PositionValue {
  shares: number[];
  margins: number[];
  certain: ForcedResult | null;
}
/** The players' presence, the number of spectators, and how the engine to act is. */
export interface PresenceMessage {
  type: 'presence';
  seats: SeatPresence[];
  watching: number;
  engine_queued: boolean;
  engine_failure: EngineFailure | null;
}
/** A position as a picture. */
export interface Preview {
  view: View;
}
/** A person. */
export interface Profile {
  name: string;
  /** Whether the person shows nothing but the name; then the rest is empty for others. */
  private: boolean;
  /** Whether it is the account that is signed in. */
  you: boolean;
  /** The relation of that account to the person. */
  relation: ('block' | 'follow') | null;
  created: string | null;
  /** Whether a program plays for the person. */
  bot: boolean;
  /** Whether both follow each other. */
  friend: boolean;
  /** Of a friend, whether a page is open. */
  online: boolean;
  /** Of a friend, a game in progress that everyone may watch. */
  playing: string | null;
  ratings: RatingHistory[];
  seats: SeatScore[];
  opponents: OpponentScore[];
  trophies: Trophy[];
  /** The score of the account that is signed in against the person. */
  versus: Score | null;
}
/** Show nothing but the name, or everything. */
export interface ProfileSettings {
  private: boolean;
}
/** The public key of a browser, and its secret for this server, as the Push API names them. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}
/** A puzzle in the list. */
export interface PuzzleInfo {
  /** The id, unique in the game. */
  id: string;
  /** The id of its theme. */
  theme: string;
  /** The lowest engine level that solves it, from 1 to 8. */
  level: number;
  /** The number of turns to find. */
  turns: number;
}
/** All progress of the account with puzzles, as `NewPuzzleProgress`, the earliest first. */
export interface PuzzleProgress {
  results: {
    [k: string]: 0 | 1;
  };
  days: string[];
}
/** A draw of a finished match. */
export interface RandomEvent {
  /** The number of actions of the log before it. */
  ply: number;
  /** The token that was drawn. */
  token: string;
  /** The possible tokens with their weights, in order. The weights are strings, because they may exceed the numbers of JavaScript. */
  outcomes: [string, string][];
}
/** The change of a seat's rating by a rated match. */
export interface RatingChange {
  seat: number;
  before: number;
  after: number;
}
/** The rating changes of a match; empty if it did not count. */
export interface RatingChanges {
  changes: RatingChange[];
}
/** A rating of a person, and what it was. */
export interface RatingHistory {
  game: string;
  /** Matches of two seats, or of more. */
  field: 'several' | 'two';
  rating: number;
  deviation: number;
  matches: number;
  /** Whether the rating is certain enough for a rank. */
  established: boolean;
  /** The highest value so far. */
  best: number;
  /** Times and values, the oldest first. */
  points: [string, number][];
}
/** A new password by the link of a mail. */
export interface RecoveredPassword {
  link: string;
  password: string;
}
/** Send a link that sets a new password to a confirmed e-mail address. */
export interface RecoveryRequest {
  address: string;
}
/** Follow or block a person; None: neither. */
export interface RelationRequest {
  name: string;
  kind: ('block' | 'follow') | null;
}
/** An effect of the reply to an action. */
export interface ReplyReason {
  /** `wins` by force; `prevents` a win; `threatens` to win; `gains` counters of its seat; `takes` counters of the seat of the action. */
  code: 'gains' | 'prevents' | 'takes' | 'threatens' | 'wins';
  /** `prevents`: the replies that would have lost. `threatens`: the answers that lose. `gains` and `takes`: how much. */
  n: number | null;
  /** `prevents`: all replies. `threatens`: all answers. */
  count: number | null;
  /** `gains` and `takes`: the counter. */
  label: Text | null;
}
/** The report has been stored for the operator. */
export interface ReportAckMessage {
  type: 'reported';
  line: number;
}
/** Open reports, the latest line first; `more`: the next `before`, or `None`. */
export interface ReportList {
  reports: ReportedLine[];
  more: number | null;
}
/** A seat reports a line of the chat to the host. */
export interface ReportMessage {
  type: 'report';
  seat: number;
  line: number;
}
/**
 * A chat line that players have reported.
 *
 * `account`: whether an account wrote it; `muted`: until when its writer is muted;
 * `reported`: when the first report came; `lines`: the line with those around it.
 */
export interface ReportedLine {
  line: number;
  match: string;
  game: string;
  seat: number;
  name: string;
  account: boolean;
  muted: string | null;
  reported: string;
  reporters: string[];
  lines: ContextLine[];
}
/** An open request; `waiting`: the seats that have not agreed yet. */
export interface RequestState {
  what: string;
  seat: number;
  waiting: number[];
}
/** Let an engine that failed try again. */
export interface RetryMessage {
  type: 'retry';
}
/** Be paired again; the organizer names a `player`. */
export interface ReturnToTournament {
  do: 'return';
  player?: number | null;
}
/** A rule book, drawn. */
export interface RulesPage {
  html: string;
  contents: Heading[];
}
/** Send a chat line to every viewer. */
export interface SayMessage {
  type: 'say';
  seat: number;
  text: string;
}
/** How games ended for a person; the others of `played` were lost. */
export interface Score {
  played: number;
  won: number;
  drawn: number;
}
/** Seats that were taken without the account, by their tokens. */
export interface SeatClaim {
  match: string;
  tokens: string[];
}
/** A seat; an engine has `seconds`, a `level` or an `agent`. */
export interface SeatInfo {
  seat: number;
  kind: 'engine' | 'person';
  name: string;
  yours: boolean;
  seconds?: number | null;
  level?: number | null;
  /** No player has come yet. */
  open?: boolean;
  /** The name is that of an account. */
  member?: boolean;
  /** The seat was an account's that has been deleted. */
  deleted?: boolean;
  agent?: string | null;
  /** The account's rating in this game with this number of seats. */
  rating?: number | null;
  /** Whether the rating is still uncertain. */
  provisional?: boolean;
  /** A program plays for the account. */
  bot?: boolean;
}
/**
 * The presence of a player; `lag`: the round-trip time, in milliseconds.
 *
 * `reconnecting`: the connection broke recently; `away`: longer ago, or no player came yet.
 */
export interface SeatPresence {
  seat: number;
  state: 'away' | 'online' | 'reconnecting';
  lag: number | null;
}
/** The score of a person at a seat of a game. */
export interface SeatScore {
  game: string;
  seat: number;
  score: Score;
}
/** The seat that this player has taken, now or before. */
export interface SeatTaken {
  seat: number;
}
/** The score of a match and the matches before it, of which each is the rematch. */
export interface SeriesScore {
  /** The number of games that count: those that have ended without being aborted. */
  games: number;
  /** By seat of this match. One for a win; of two players each has half for a draw. */
  points: number[];
}
/** A place where the account is signed in; `agent`: what that browser calls itself. */
export interface SessionInfo {
  id: string;
  agent: string;
  created: string;
  last_seen: string;
  current: boolean;
}
/** A match as the widget shows it. */
export interface SharedMatch {
  /** The numbers of actions before the positions to show. */
  plies: number[];
  /** Whether the match is over. */
  over: boolean;
  /** The result, or whose turn it is. */
  text: string;
}
/** The account after sign-in; `token`: the session token, only if a bearer was requested. */
export interface SignedIn {
  account: AccountInfo;
  token?: string | null;
}
/** A match as a viewer may see it. */
export interface Snapshot {
  match: string;
  game: string;
  options: {
    [k: string]: string;
  };
  rules_version: number;
  seq: number;
  confirm: boolean;
  status: 'confirming' | 'over' | 'playing';
  acting: number | null;
  result: MatchResult | null;
  log: ActionEntry[];
  clock: ClockState | null;
  request: RequestState | null;
  declined: DeclinedRequest | null;
  paused: boolean;
  next: string | null;
  series: SeriesScore | null;
  chance: ChanceInfo | null;
  rated: boolean;
  tournament: string | null;
  seats: SeatInfo[];
  view: View;
  can: Permissions;
}
/** The snapshot after hello. */
export interface SnapshotMessage {
  type: 'snapshot';
  snapshot: Snapshot;
}
/** A step of a lesson. */
export interface StepInfo {
  /** The task. */
  task: {
    [k: string]: string;
  };
  /** The seat of the player. */
  seat: number;
}
/**
 * The analysis of the match from position `first` on (`docs/explanation/analysis.md`).
 *
 * `actions` are those after the position before `first`; `length`: how many the match has.
 */
export interface StudyMessage {
  type: 'study';
  first: number;
  length: number;
  positions: PositionValue[];
  actions: Action[];
  balances: Balance[];
  decisive: number[];
}
/** Take a seat by link, or one that is offered in the lobby. */
export interface TakeSeat {
  /** The secret that will hold it: 32 random bytes, in URL-safe base64. */
  token: string;
  /** The secret of the link; none: any seat that is offered in the lobby. */
  invitation?: string | null;
  /** The player's name. */
  name?: string;
}
/** A theme of puzzles. */
export interface ThemeInfo {
  /** The id, unique in the game. */
  id: string;
  /** The name. */
  title: {
    [k: string]: string;
  };
}
/** A board. */
export interface TournamentBoard {
  number: number;
  /** By seat. */
  players: number[];
  /** Its match; `None` if it was decided without one. */
  match: string | null;
  /** By seat, once it has ended. */
  points: number[] | null;
  /** The player who did not come. */
  absent: number | null;
  /** Whether the organizer set the result. */
  corrected: boolean;
}
/** The id of a new tournament. */
export interface TournamentCreated {
  tournament: string;
}
/** The latest tournaments, the newest first. */
export interface TournamentList {
  tournaments: TournamentSummary[];
}
/** A player. */
export interface TournamentPlayer {
  number: number;
  /** Empty for an engine, which has a `level`, and for a deleted account. */
  name: string;
  level: number | null;
  /** Whether the name is that of an account. */
  member: boolean;
  deleted: boolean;
  /** Why the player is paired no more. */
  left: ('no-show' | 'removed' | 'withdrew') | null;
}
/** A round; `byes`: the players who have a bye. */
export interface TournamentRound {
  number: number;
  at: string;
  boards: TournamentBoard[];
  byes: number[];
}
/** The choices of the organizer. */
export interface TournamentSettings {
  name: string;
  game: string;
  format: 'arena' | 'double-round-robin' | 'knockout' | 'round-robin' | 'swiss' | 'tables';
  description: string;
  options: {
    [k: string]: string | number;
  };
  /** The number of rounds of `swiss` and `tables`. */
  rounds: number;
  /** How long an `arena` pairs players. */
  minutes: number;
  /** The time control of every match. */
  time: (TurnTime | MainTime | DaysTime) | null;
  /** A player loses who has not made the first turn of a match after this time. Without a clock that lasts, it counts from the last action. */
  forfeit_minutes: number;
  /** Whether the next round begins by itself. */
  automatic: boolean;
  /** Whether players may enter after the start. */
  late: boolean;
  /** Whether players may enter without an account. */
  guests: boolean;
  /** Whether its matches count for the ratings; then without guests. */
  rated: boolean;
  /** Whether the list of tournaments shows it. */
  listed: boolean;
  /** The level of the engine that fills empty seats; none: byes. */
  fill: number | null;
}
/** A place in the standings; `tie_breaks` in the order of the tournament's. */
export interface TournamentStanding {
  player: number;
  rank: number;
  points: number;
  played: number;
  tie_breaks: number[];
}
/** A tournament with its version; `None` if the viewer has this version. */
export interface TournamentState {
  version: number;
  view: TournamentView | null;
}
/** A tournament in a list. */
export interface TournamentSummary {
  tournament: string;
  name: string;
  game: string;
  format: string;
  status: 'finished' | 'open' | 'paused' | 'running';
  players: number;
  created: string;
}
/** A tournament as a viewer may see it. */
export interface TournamentView {
  tournament: string;
  settings: TournamentSettings;
  /** The number of seats of a match. */
  seats: number;
  status: 'finished' | 'open' | 'paused' | 'running';
  created: string;
  started: string | null;
  /** The number of rounds, if it is known. */
  last_round: number | null;
  /** When an arena stops pairing. */
  ends: string | null;
  players: TournamentPlayer[];
  rounds: TournamentRound[];
  standings: TournamentStanding[];
  /** The names of the tie-breaks, the first one first. */
  tie_breaks: string[];
  /** The number of the viewer's player. */
  you: number | null;
  /** Whether the viewer is the organizer. */
  organizer: boolean;
  /** The actions that the viewer can do now. */
  can: string[];
}
/** A finished tournament in which a person came among the first three. */
export interface Trophy {
  tournament: string;
  name: string;
  game: string;
  players: number;
  place: number;
  at: string;
}
/** Seconds per turn; after that, the server plays the rest of the turn. */
export interface TurnTime {
  kind: 'turn';
  seconds: number;
}
/** Start, pause, resume or finish a tournament, or begin its next round. */
export interface TurnTournament {
  do: 'turn';
  to: 'finished' | 'paused' | 'resumed' | 'round' | 'started';
}
/** A new event, with the snapshot after it. */
export interface UpdateMessage {
  type: 'update';
  seq: number;
  snapshot: Snapshot;
}
/** The player has a place in the queue. */
export interface WaitingMessage {
  type: 'waiting';
}
/** A board that is being played. */
export interface WallBoard {
  round: number;
  number: number;
  match: string;
  /** The number of the latest event of the match. */
  seq: number;
  /** The seat to act. */
  acting: number | null;
  /** The seconds of every seat; `None` without a clock. */
  remaining: (number | null)[] | null;
}
/** The boards that are being played, the first ones; `total`: how many there are. */
export interface WallView {
  boards: WallBoard[];
  total: number;
}
/** Why an action is worse than the best one. */
export interface WhyNot {
  /** The seat of the action. */
  seat: number;
  /** The action. */
  action: DescribedAction;
  /** Whether it is as good as the best action. */
  good: boolean;
  /** Whether it loses by force. */
  loses: boolean;
  /** The expected share of the seat after the best action, from 0 to 1. */
  best: number;
  /** The expected share of the seat after this action. */
  share: number;
  /** The actions after it, the last of which are the reply: a turn of another seat. Empty if it is good or ends the game. */
  line: DescribedAction[];
  /** The effects of the reply, the most important one first. */
  reasons: ReplyReason[];
  /** How the game ends where the line, or the turn of the reply, ends it. */
  end: Text | null;
}
