/** A match in the browser: the server's state, the frame on screen, and the player's selection. */
import { m } from '../../messages';
import { downloadText } from '../platform/download';
import { ApiError } from '../api/http';
import { translator } from '../i18n/catalogue.svelte';
import { Presence } from './presence.svelte';
import { Contributions } from './contributions';
import { ServerBackend } from './serverBackend';
import type { MatchBackend } from './backend';
import { errorMessage, noActionReason } from '../api/errors';
import { MatchNotifications } from './matchNotifications';
import { ConditionalMoves } from './conditionalMoves.svelte';
import { playedSince, samePosition, type Frame } from '../board/frame';
import { Review } from '../review/review.svelte';
import { lastPosition, storePosition } from './lastPositions';
import { saveNextMatch, markViewed } from '../lobby/matchStore';
import { playEnding } from './eventSounds';
import { Interaction } from './interaction.svelte';
import { markTipShown, wasTipShown, type Tip } from './tips.svelte';
import { Variation } from './variation.svelte';
import { WhyNot } from './whyNot.svelte';
import { uuid } from '../platform/uuid';
import type { Update } from './replay';
import type { ActionView, Prospect, Refusal } from '../api/view';
import { go } from '../platform/route.svelte';
import { settings } from '../platform/settings.svelte';
import type { Command, GameInfo, PositionRef, Problem, Snapshot } from '../api/types';

/** The position that questions to the server refer to. */
interface Context {
  seq: number;
  at: PositionRef | null;
}

/** How long the server may take to answer before the last position is shown, in milliseconds. */
const LATE = 3000;

/** An action that costs more of the winning chances than this is a mistake. */
const COSTLY = 0.1;

export class Match extends Interaction {
  /** The latest snapshot of the match. */
  serverState: Snapshot | null = $state.raw(null);
  /** Why the match cannot be shown. */
  failed: Problem | null = $state.raw(null);
  /** When the server reported the clocks, on the clock of `performance.now()`. */
  clockReadAt = $state(0);
  online = $state(true);

  /** The other people and the chat. */
  readonly presence: Presence;
  private readonly notifications: MatchNotifications;
  private command: string | null = null;
  private late: ReturnType<typeof setTimeout> | undefined;
  /** The position in which the player undid an action; a tip follows. Null: none. */
  private regretted: number | null = null;
  /** Whether the match has ended and its last position is not on screen yet. */
  private ending = false;
  protected override readonly soundsAtEnd = false;
  private readonly contributions: Contributions;

  constructor(
    readonly id: string,
    game: GameInfo,
    /** Where it is played. */
    readonly backend: MatchBackend = new ServerBackend(id),
  ) {
    super(game);
    const { server } = backend;
    this.contributions = new Contributions(id, (command) => backend.send(command));
    this.notifications = new MatchNotifications(id, game, (text) => this.say(text));
    this.variation = new Variation(backend, (snapshot, since) => {
      if (since === null) this.replay.jump(snapshot);
      else this.replay.add({ snapshot, played: snapshot.log.slice(since) });
      this.review.onVariation(snapshot, this.variation.line);
    });
    this.conditionalMoves = new ConditionalMoves(
      this.variation,
      server?.plans ?? null,
      this.announcer,
      !game.has_chance,
      () => settings.premoves,
    );
    this.presence = new Presence(id, {
      say: (seat, text) => server?.say(seat, text),
      report: (seat, line) => server?.report(seat, line),
    });
    if (server) this.late = setTimeout(() => void this.showLast(), LATE);
    backend.open({
      snapshot: (snapshot) => this.onSnapshot(snapshot),
      update: (snapshot) => this.onUpdate(snapshot),
      done: (id) => this.onDone(id),
      refused: (id, problem) => this.onRejected(id, problem),
      online: (yes) => {
        this.online = yes;
        if (!yes) {
          this.presence.onDisconnect();
          void this.showLast();
        }
      },
      analysis: (analysis) => this.review.onAnalysis(analysis),
      study: (part) => this.review.onStudy(part),
      unanalysed: (problem) => this.review.onRejected(problem),
      presence: (seats, watching, engineQueued, engineFailure) => {
        if (this.serverState) this.notifications.onPresence(this.serverState, this.presence.seats, seats);
        this.presence.onPresence(seats, watching, engineQueued, engineFailure);
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

  /** The actions that can be selected now. */
  readonly actions = $derived.by((): ActionView[] => {
    const now = this.frame?.snapshot;
    const acts = now?.status === 'playing' || this.variation.on;
    return now && acts && this.isMyTurn && !this.animating && !this.pending ? now.view.actions : [];
  });

  /** The position that questions to the server refer to. */
  protected readonly context: Context = $derived.by(() => ({
    seq: this.serverState?.seq ?? -1,
    at: this.variation.at,
  }));

  /** The actions tried out and not played. */
  readonly variation: Variation;

  override readonly whyNot = new WhyNot(async (token) => {
    const log = this.serverState?.log ?? [];
    const own = token === null ? log.findLastIndex(({ seat }) => this.isMine(seat)) : -1;
    const answer = await this.backend.whyNot(own < 0 ? log.length : own, token ?? log[own]?.token ?? '');
    if (token !== null && answer.best - answer.share > COSTLY) this.onMistake();
    return answer;
  });

  /** The last own action. */
  readonly lastOwn = $derived.by(
    () => this.serverState?.log.findLast(({ seat }) => this.isMine(seat)) ?? null,
  );

  /** Replies prepared while others act, where players have days per turn. */
  readonly conditionalMoves: ConditionalMoves;

  /** The review of the finished match. */
  readonly review = new Review({
    fetchPosition: (ply) => this.fetchPosition(ply),
    analyse: (ply, line) => this.backend.server?.analyse(ply, line),
    leaveVariation: () => this.leaveVariation(),
    showCurrent: () => this.serverState && this.replay.jump(this.serverState),
    show: (snapshot, step) =>
      step ? this.replay.add({ snapshot, played: snapshot.log.slice(-1) }) : this.replay.jump(snapshot),
    announce: (position) => this.announcer.announceEvaluation(this.frame?.snapshot.view, position),
  });

  readonly suggested = $derived(this.review.suggested);
  readonly selectedSuggestion = $derived(this.review.selectedAction);

  /** Shows the last stored position while the server does not answer. */
  private async showLast(): Promise<void> {
    if (this.serverState || this.failed) return;
    const last = await lastPosition(this.id);
    // The server may have answered meanwhile.
    if (!last || this.serverState || this.failed) return;
    this.online = false;
    this.serverState = last;
    this.replay.jump(last);
  }

  close(): void {
    clearTimeout(this.late);
    this.replay.stop();
    this.backend.close();
  }

  wake(): void {
    this.backend.wake();
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
    this.deselect();
    if (this.review.on) this.review.onVariation(null, []);
    else if (this.serverState) this.replay.jump(this.serverState);
  }

  undo(whole: boolean): void {
    if (this.variation.on) this.variation.back(whole);
    else if (this.serverState?.can.undo) {
      this.regretted = this.serverState.seq;
      this.do('undo', null, whole ? 'turn' : undefined);
    }
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

  /** Lets the engine that failed try again. */
  retryEngine(): void {
    this.backend.retryEngine();
  }

  /** Saves the record of the game as a file. */
  async download(): Promise<void> {
    downloadText(`${this.game.name}-${this.id}.txt`, await this.backend.record());
  }

  /** Takes a seat back from the engine. */
  takeOver(seat: number): void {
    this.do('return', null, undefined, seat);
  }

  /** Accepts or declines the pending request for one of the own seats. */
  answer(what: 'accept' | 'decline', seat: number): void {
    this.do(what, null, undefined, seat);
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
    if (serverState && !serverState.result && snapshot.result) this.ending = true;
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

  protected announce({ snapshot, played }: Update): void {
    const before = this.frame?.snapshot;
    this.announcer.announceChanges(before, snapshot, played, !this.review.on && !this.variation.on);
  }

  protected override show(frame: Frame): void {
    super.show(frame);
    this.showEnd(frame);
    if (this.regretted !== null && frame.duration === 0 && frame.snapshot.seq > this.regretted) {
      this.regretted = null;
      this.onMistake();
    }
    if (frame.duration > 0 || frame.events.length > 0 || this.variation.on || !this.online) return;
    markViewed(this.id, frame.snapshot);
    if (this.backend.server && frame.snapshot === this.serverState) void storePosition(frame.snapshot);
  }

  /** The end with its flourish and sound, when nothing moves any more. */
  private showEnd({ duration, snapshot: { result, seats } }: Frame): void {
    if (!this.ending || duration > 0 || !result) {
      if (!result) this.justEnded = false;
      return;
    }
    this.ending = false;
    this.justEnded = true;
    playEnding(
      result,
      seats.flatMap(({ seat, yours }) => (yours ? [seat] : [])),
    );
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
    this.regretted = null;
    this.selected = [];
    if (id === null && !this.serverState) {
      this.failed = problem;
      this.backend.close();
      return;
    }
    if (id === null || id === this.command) this.command = null;
    this.problem = problem;
    this.say(problem.refusal ? translator(this.game)(problem.refusal.text) : errorMessage(problem));
    void this.resync();
  }

  /** Fetches the current state: the screen may be out of date. */
  private async resync(): Promise<void> {
    const now = await this.fetchOrReport(this.backend.now());
    // A newer update may have arrived meanwhile.
    if (now && now.seq >= (this.serverState?.seq ?? 0)) this.onSnapshot(now);
  }

  /** The match after `ply` actions; null if the server refuses. */
  private fetchPosition(ply: number): Promise<Snapshot | null> {
    return this.fetchOrReport(this.backend.position(ply, []));
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

  // Helpers

  protected noActionReason(): string {
    return this.variation.on ? m.rejection_nothing() : noActionReason(this.serverState, this.isMyTurn);
  }

  protected knowsPosition(): boolean {
    return this.replay.waiting.length === 0 && this.isMine(this.serverState?.log.at(-1)?.seat);
  }

  /** The tip for the decision to make; null: there is none. */
  readonly explanation = $derived.by((): Tip | null => {
    const now = this.frame?.snapshot;
    const prompt = now?.view.prompt.key ?? '';
    const clause = this.game.theme.explain?.[prompt];
    if (clause === undefined || !this.isMyTurn || now?.status !== 'playing' || this.animating) return null;
    return { prompt, clause };
  });

  /** Shows the tip for the decision. */
  explainDecision(): void {
    const { explanation } = this;
    if (!explanation) return;
    this.tip = explanation;
    markTipShown(this.game.name, explanation.prompt);
    this.say(translator(this.game)({ key: `explain.${explanation.prompt}` }));
  }

  /** Shows the tip after the first mistake at a kind of decision. */
  protected override onMistake(): void {
    const { explain, zen } = settings;
    const { explanation } = this;
    if (explanation && explain && !zen && !wasTipShown(this.game.name, explanation.prompt))
      this.explainDecision();
  }

  protected askReason(tried: string[], rotation: number | null): Promise<{ refusal: Refusal | null }> {
    return this.backend.explain(tried, rotation, this.context.at);
  }

  protected askProspect(token: string): Promise<Prospect | null> {
    const { seq, at } = this.context;
    return this.backend.prospect(seq, token, at);
  }

  protected do(
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
    this.deselect();
    this.command = uuid();
    const command: Command = { id: this.command, seq: serverState.seq, seat, do: what };
    this.backend.send(token === undefined ? command : { ...command, token });
  }

  /** Plays an action in the variation. */
  private async tryAction(action: ActionView): Promise<void> {
    this.pending = action;
    this.deselect();
    await this.variation.play(action.token);
    this.pending = null;
  }

  /** Opens the rematch: all seats move on by one and keep their tokens. */
  openNextMatch(next: string): void {
    saveNextMatch(this.id, next);
    go({ page: 'match', match: next });
  }

  protected isMine(seat: number | undefined): boolean {
    return seat !== undefined && this.serverState?.seats[seat]?.yours === true;
  }
}
