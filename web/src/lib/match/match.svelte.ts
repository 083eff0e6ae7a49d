/** A match in the browser: the server's state, the frame on screen, and the player's selection. */
import * as m from '../../paraglide/messages';
import { ApiError } from '../api/http';
import { translator } from '../i18n/catalogue.svelte';
import { Presence } from './presence.svelte';
import { Connection } from '../api/connection';
import { Contributions } from './contributions';
import { MatchQueries } from './matchQueries';
import { errorMessage, noActionReason } from '../api/errors';
import { Replay, type Update } from './replay';
import { MatchNotifications } from './matchNotifications';
import { ConditionalMoves } from './conditionalMoves.svelte';
import { framesBetween, PAUSE_BETWEEN, playedSince, samePosition, type Frame } from '../board/frame';
import { still } from '../platform/settings.svelte';
import { Review } from '../review/review.svelte';
import { playEventSounds } from './eventSounds';
import { saveNextMatch, markViewed, tokensOf } from '../lobby/matchStore';
import { Prospects } from './prospects.svelte';
import { Variation } from './variation.svelte';
import { uuid } from '../platform/uuid';
import { Announcer } from './announcer.svelte';
import { held, offer, press, touch, turns, type Answer, type Rejection } from './selection';
import type { ActionView, Prospect, Refusal } from '../api/view';
import { go } from '../platform/route.svelte';
import type { Command, GameInfo, PositionRef, Problem, Snapshot } from '../api/types';

export class Match {
  /** The latest snapshot of the server. */
  serverState: Snapshot | null = $state.raw(null);
  frame: Frame | null = $state.raw(null);
  selected: string[] = $state.raw([]);
  /** The rotation of the selected piece, clockwise in degrees; the next piece keeps it. */
  turn = $state(0);
  /** Actions to choose from by name, or the one whose warning needs an answer. */
  choices: ActionView[] | null = $state.raw(null);
  rejection: Rejection | null = $state.raw(null);
  /** The action that the server has not answered yet. */
  pending: ActionView | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);
  /** Why the match cannot be shown. */
  failed: Problem | null = $state.raw(null);
  /** When the server reported the clocks, on the clock of `performance.now()`. */
  clockReadAt = $state(0);
  online = $state(true);

  readonly announcer: Announcer;
  /** The other people and the chat. */
  readonly presence: Presence;
  private readonly notifications: MatchNotifications;
  private readonly queries: MatchQueries;
  private readonly connection: Connection;
  private readonly replay = new Replay({
    begin: (update, skipped) => this.begin(update, skipped),
    show: (frame) => this.show(frame),
    pauseBefore: ({ snapshot, played }) =>
      this.isMine((played[0] ?? snapshot.log.at(-1))?.seat) ? 0 : PAUSE_BETWEEN,
  });
  /** The action under the keyboard focus: its prospect is announced. */
  focusedAction: ActionView | null = null;
  private command: string | null = null;
  private readonly contributions: Contributions;

  constructor(
    readonly id: string,
    readonly game: GameInfo,
  ) {
    const tokens = tokensOf(id);
    this.queries = new MatchQueries(id, tokens);
    this.announcer = new Announcer(game);
    this.contributions = new Contributions(id, (command) => this.connection.send(command));
    this.notifications = new MatchNotifications(id, game, (text) => this.say(text));
    this.variation = new Variation(this.queries, (snapshot, since) => {
      if (since === null) this.replay.jump(snapshot);
      else this.replay.add({ snapshot, played: snapshot.log.slice(since) });
      this.review.onVariation(snapshot, this.variation.line);
    });
    this.conditionalMoves = new ConditionalMoves(
      this.variation,
      this.queries,
      this.announcer,
      !game.has_chance,
    );
    this.presence = new Presence(id, {
      say: (seat, text) => this.connection.say(seat, text),
      report: (seat, line) => this.connection.report(seat, line),
    });
    const origin = location.origin.replace(/^http/, 'ws');
    this.connection = new Connection(`${origin}/api/matches/${encodeURIComponent(id)}/socket`, tokens, {
      snapshot: (snapshot) => this.onSnapshot(snapshot),
      update: (snapshot) => this.onUpdate(snapshot),
      done: (id) => this.onDone(id),
      refused: (id, problem) => this.onRejected(id, problem),
      online: (yes) => {
        this.online = yes;
        if (!yes) this.presence.onDisconnect();
      },
      analysis: (analysis) => this.review.onAnalysis(analysis),
      study: (part) => this.review.onStudy(part),
      unanalysed: (problem) => this.review.onRejected(problem),
      presence: (seats, watching, engineQueued) => {
        if (this.serverState) this.notifications.onPresence(this.serverState, this.presence.seats, seats);
        this.presence.onPresence(seats, watching, engineQueued);
      },
      chat: (lines, whole) => {
        const heard = this.presence.onChat(lines, whole);
        if (this.serverState) this.notifications.onChat(this.serverState, heard);
      },
      reported: (line) => this.presence.onReported(line),
    });
  }

  /** Whether a player here can act. */
  readonly isMyTurn = $derived.by(() => {
    const now = this.frame?.snapshot;
    // In a variation the user acts for every seat.
    if (now !== undefined && this.variation.on) return now.view.actions.length > 0;
    // A past position cannot be played on.
    if (now === undefined || now.paused || this.serverState?.status === 'over') return false;
    return now.acting !== null && now.seats[now.acting]?.yours === true;
  });

  /** The seat that is played here: the one to act, otherwise the first own one. */
  readonly ownSeat = $derived.by((): number | null => {
    const { acting, seats } = this.serverState ?? { acting: null, seats: [] };
    if (acting !== null && seats[acting]?.yours) return acting;
    return seats.find(({ yours }) => yours)?.seat ?? null;
  });

  /** Whether the match has seats that are not played here. */
  readonly hasOpponents = $derived(this.serverState?.seats.some(({ yours }) => !yours) ?? false);

  /** Whether other people play in it. */
  readonly hasHumanOpponents = $derived(
    this.serverState?.seats.some(({ kind, yours }) => kind === 'person' && !yours) ?? false,
  );

  readonly animating = $derived((this.frame?.duration ?? 0) > 0);

  /** The actions that can be selected now. */
  readonly actions = $derived.by((): ActionView[] => {
    const now = this.frame?.snapshot;
    const acts = now?.status === 'playing' || this.variation.on;
    return now && acts && this.isMyTurn && !this.animating && !this.pending ? now.view.actions : [];
  });

  /** The possible rotations of the selected piece. */
  readonly turns = $derived(turns(this.actions, this.selected));
  /** Its rotation; null if that makes no difference. */
  readonly held = $derived(held(this.turns, this.turn));

  readonly options = $derived(offer(this.actions, this.selected, this.held));

  /** The one action that waits for a confirmation. */
  readonly toConfirm = $derived(this.choices?.length === 1 ? (this.choices[0] ?? null) : null);

  /** The position that questions to the server refer to. */
  private readonly context = $derived.by(() => ({ seq: this.serverState?.seq ?? -1, at: this.variation.at }));

  readonly prospects = new Prospects<{ seq: number; at: PositionRef | null }>(
    ({ seq, at }, token) => this.queries.prospect(seq, token, at),
    (action, prospect) => this.announceProspect(action, prospect),
  );

  /** The actions tried out and not played. */
  readonly variation: Variation;

  /** Replies prepared while others act, where players have days per turn. */
  readonly conditionalMoves: ConditionalMoves;

  /** The review of the finished match. */
  readonly review = new Review({
    fetchPosition: (ply) => this.fetchPosition(ply),
    analyse: (ply, line) => this.connection.analyse(ply, line),
    leaveVariation: () => this.leaveVariation(),
    showCurrent: () => this.serverState && this.replay.jump(this.serverState),
    show: (snapshot, step) =>
      step ? this.replay.add({ snapshot, played: snapshot.log.slice(-1) }) : this.replay.jump(snapshot),
    announce: (position) => this.announcer.announceEvaluation(this.frame?.snapshot.view, position),
  });

  close(): void {
    this.replay.stop();
    this.connection.close();
  }

  wake(): void {
    this.connection.wake();
  }

  select(cell: string): void {
    this.rejection = null;
    this.problem = null;
    if (this.replay.running) {
      // A click during another's animation only skips it: the player has not seen the position yet.
      const own = this.replay.waiting.length === 0 && this.isMine(this.serverState?.log.at(-1)?.seat);
      this.replay.skip();
      if (!own) return;
    }
    if (this.pending) return;
    if (this.actions.length === 0) {
      this.reject(
        cell,
        this.variation.on ? m.rejection_nothing() : noActionReason(this.serverState, this.isMyTurn),
        null,
      );
      return;
    }
    if (this.choices) this.selectWhileChoosing(cell);
    else this.applySelection(touch(this.actions, this.selected, cell, this.turn), cell);
  }

  /** Rotates the selected piece, clockwise or back. Returns false if it cannot be rotated. */
  rotate(by: 1 | -1): boolean {
    const ways = this.turns;
    if (ways.length < 2 || this.held === null) return false;
    this.turn = ways[(ways.indexOf(this.held) + by + ways.length) % ways.length] ?? 0;
    this.rejection = null;
    if (this.toConfirm) {
      const count = this.selected.length;
      this.choices = this.options.actions.filter(({ touches }) => touches.length === count);
    } else this.say(m.announce_rotated({ degrees: this.turn }));
    return true;
  }

  /** The player pressed the button of an action. */
  pressButton(action: ActionView): void {
    this.applySelection(press(action, this.selected), null);
  }

  /** The player chose an action from the menu, or confirmed its warning. */
  choose(action: ActionView): void {
    this.choices = null;
    this.selected = [];
    this.do('play', action);
  }

  /** Cancels the last selection or the open question. Returns whether there was one. */
  cancel(): boolean {
    const had =
      this.choices !== null || this.rejection !== null || this.selected.length > 0 || this.replay.running;
    if (this.replay.running) this.replay.skip();
    else if (this.choices) {
      this.choices = null;
      this.selected = this.selected.slice(0, -1);
    } else if (this.rejection) this.rejection = null;
    else this.selected = this.selected.slice(0, -1);
    return had;
  }

  /** Confirms the action or the turn, or saves the conditional moves. */
  confirmOrSave(): void {
    if (this.toConfirm) this.choose(this.toConfirm);
    else if (this.conditionalMoves.editing) void this.conditionalMoves.save();
    else this.confirm();
  }

  /** Returns from the variation to the current position. */
  leaveVariation(): void {
    if (!this.variation.on && !this.conditionalMoves.editing) return;
    this.variation.end();
    this.conditionalMoves.editing = false;
    this.selected = [];
    this.choices = null;
    if (this.review.on) this.review.onVariation(null, []);
    else if (this.serverState) this.replay.jump(this.serverState);
  }

  /** The player looks at an action, or at none. */
  considerAction(action: ActionView | null): void {
    this.prospects.look(action, this.context);
  }

  undo(whole: boolean): void {
    if (this.variation.on) this.variation.back(whole);
    else if (this.serverState?.can.undo) this.do('undo', null, whole ? 'turn' : undefined);
  }

  confirm(): void {
    if (this.serverState?.can.confirm) this.do('confirm');
  }

  resign(): void {
    if (this.serverState?.can.resign) this.do('resign');
  }

  /** Sends a request to the others; `engine:2`: to replace the absent player of seat 2. */
  ask(what: string): void {
    this.do('ask', null, what);
  }

  /** Takes a seat back from the engine. */
  takeOver(seat: number): void {
    this.do('return', null, undefined, seat);
  }

  /** Accepts or declines the pending request for one of the own seats. */
  answer(what: 'accept' | 'decline', seat: number): void {
    this.do(what, null, undefined, seat);
  }

  say(text: string): void {
    this.announcer.say(text);
  }

  // Messages of the server

  private onSnapshot(snapshot: Snapshot): void {
    const { serverState } = this;
    if (serverState) {
      this.announcer.announceJoins(serverState, snapshot);
      this.announcer.announceChanges(
        serverState,
        snapshot,
        playedSince(serverState, snapshot),
        !this.review.on && !this.variation.on,
      );
    }
    const stays = samePosition(serverState, snapshot);
    this.setServerState(snapshot);
    this.failed = null;
    if (this.variation.on && !stays) this.leaveVariation();
    else if (!this.review.on && !this.variation.on) this.replay.jump(snapshot);
  }

  private onUpdate(snapshot: Snapshot): void {
    const { serverState } = this;
    if (serverState && snapshot.seq <= serverState.seq) return;
    const next = serverState?.next === null ? snapshot.next : null;
    this.setServerState(snapshot);
    this.command = null;
    // The error belonged to the position before.
    this.problem = null;
    // The variation stays: nothing was played.
    if (!this.variation.on)
      this.replay.add({ snapshot, played: serverState ? playedSince(serverState, snapshot) : [] });
    if (next !== null) this.openNextMatch(next);
  }

  private setServerState(snapshot: Snapshot): void {
    if (this.serverState)
      this.notifications.onState(this.serverState, snapshot, this.conditionalMoves.willAnswer(snapshot));
    const overtaken = this.conditionalMoves.editing && !samePosition(this.serverState, snapshot);
    if (overtaken) this.leaveVariation();
    this.serverState = snapshot;
    this.conditionalMoves.onState(snapshot);
    if (overtaken) this.conditionalMoves.interrupt();
    this.contributions.follow(snapshot);
    this.clockReadAt = performance.now();
  }

  private begin({ snapshot, played }: Update, skipped: boolean): Frame[] {
    this.selected = [];
    this.choices = null;
    this.rejection = null;
    this.pending = null;
    const before = this.frame?.snapshot;
    this.announcer.announceChanges(before, snapshot, played, !this.review.on && !this.variation.on);
    if (skipped || still() || document.hidden || !before) {
      if (!skipped) playEventSounds(played.flatMap(({ events }) => events));
      return [];
    }
    return framesBetween(before, snapshot, played, this.game.theme);
  }

  private show(frame: Frame): void {
    this.frame = frame;
    if (frame.duration > 0 || frame.events.length > 0) playEventSounds(frame.events);
    else if (!this.variation.on) markViewed(this.id, frame.snapshot);
  }

  private onDone(id: string): void {
    if (id !== this.command) return;
    this.command = null;
    this.pending = null;
  }

  private onRejected(id: string | null, problem: Problem): void {
    if (id !== null && this.contributions.refused(id, problem)) return;
    if (id === null && this.presence.onRejected(problem)) return;
    this.pending = null;
    this.selected = [];
    if (id === null && !this.serverState) {
      this.failed = problem;
      this.connection.close();
      return;
    }
    if (id === null || id === this.command) this.command = null;
    this.problem = problem;
    this.say(problem.refusal ? translator(this.game)(problem.refusal.text) : errorMessage(problem));
    void this.resync();
  }

  /** Fetches the current state: the screen may be out of date. */
  private async resync(): Promise<void> {
    const now = await this.fetchOrReport(this.queries.now());
    // A newer update may have arrived meanwhile.
    if (now && now.seq >= (this.serverState?.seq ?? 0)) this.onSnapshot(now);
  }

  /** The match after `ply` actions; null if the server refuses. */
  private fetchPosition(ply: number): Promise<Snapshot | null> {
    return this.fetchOrReport(this.queries.position(ply, []));
  }

  /** Awaits a snapshot; on an error of the API shows it and returns null. */
  private async fetchOrReport(answer: Promise<Snapshot>): Promise<Snapshot | null> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.problem;
      return null;
    }
  }

  private announceProspect(action: ActionView, { texts }: Prospect): void {
    if (action === this.toConfirm || action === this.focusedAction) this.announcer.sayTexts(texts);
  }

  // Helpers

  /** A selection while a question is open: rotates the piece in place, or moves it elsewhere. */
  private selectWhileChoosing(cell: string): void {
    const here = this.selected.at(-1);
    if (cell === here) {
      if (!this.toConfirm || !this.rotate(1)) this.cancel();
      return;
    }
    const before = this.toConfirm?.touches.length === 0 ? this.selected : this.selected.slice(0, -1);
    this.applySelection(touch(this.actions, before, cell, this.turn), cell);
  }

  private applySelection(answer: Answer, cell: string | null): void {
    this.choices = null;
    switch (answer.kind) {
      case 'more':
      case 'back':
        this.selected = answer.touched;
        break;
      case 'play':
        this.selected = [];
        this.do('play', answer.action);
        break;
      case 'ask':
        this.selected = answer.touched;
        this.choices = answer.actions;
        break;
      case 'refused':
        this.selected = answer.touched;
        if (cell !== null) void this.explain(cell, answer.tried, answer.turn);
        break;
    }
  }

  private do(
    what: Command['do'],
    action: ActionView | null = null,
    token = action?.token,
    who: number | null = null,
  ): void {
    const { serverState } = this;
    if (!serverState) return;
    if (this.replay.running) this.replay.skip();
    if (this.variation.on) {
      if (action) void this.tryAction(action);
      return;
    }
    const seat =
      what === 'undo' || token === 'undo'
        ? serverState.log.findLast((entry) => this.isMine(entry.seat))?.seat
        : (who ?? this.ownSeat ?? serverState.acting);
    if (seat === undefined || seat === null || this.command !== null) return;
    this.pending = action;
    this.problem = null;
    this.rejection = null;
    this.selected = [];
    this.choices = null;
    this.command = uuid();
    const command: Command = { id: this.command, seq: serverState.seq, seat, do: what };
    this.connection.send(token === undefined ? command : { ...command, token });
  }

  /** Plays an action in the variation. */
  private async tryAction(action: ActionView): Promise<void> {
    this.pending = action;
    this.selected = [];
    this.choices = null;
    await this.variation.play(action.token);
    this.pending = null;
  }

  private async explain(cell: string, tried: string[], turn: number | null): Promise<void> {
    const { context } = this;
    try {
      const { refusal } = await this.queries.explain(tried, turn, context.at);
      if (context !== this.context) return;
      this.reject(cell, refusal ? translator(this.game)(refusal.text) : m.rejection_nothing(), refusal);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.reject(cell, errorMessage(error.problem), null);
    }
  }

  private reject(cell: string, text: string, refusal: Refusal | null): void {
    this.rejection = { cell, text, refusal };
    this.say(text);
  }

  /** Opens the rematch: all seats move on by one and keep their tokens. */
  openNextMatch(next: string): void {
    saveNextMatch(this.id, next);
    go({ page: 'match', match: next });
  }

  private isMine(seat: number | undefined): boolean {
    return seat !== undefined && this.serverState?.seats[seat]?.yours === true;
  }
}
