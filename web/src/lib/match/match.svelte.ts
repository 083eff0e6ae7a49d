/** One match in this browser: what is true, what is shown on the way there, and what the person is about to do. */
import * as m from '../../paraglide/messages';
import { Refused } from '../api/matches';
import { speaker } from '../i18n/catalogue.svelte';
import { Company } from './presence.svelte';
import { Connection } from '../api/connection';
import { Contributions } from './contributions';
import { Enquiries } from '../api/matchQueries';
import { explainProblem, whyNothing } from '../api/errors';
import { Film, type Update } from './replay';
import { Notices } from './matchNotifications';
import { Plan } from './conditionalMoves.svelte';
import { between, BREATH, playedSince, samePosition, type Picture } from './frame';
import { settings, still } from '../platform/settings.svelte';
import { Review } from '../review/review.svelte';
import { play as sound } from '../platform/sound';
import { followed, looked, tokensOf } from '../platform/storage';
import { Prospects } from './prospects.svelte';
import { Trial } from './variation.svelte';
import { uuid } from '../platform/uuid';
import { Voice } from './announcer.svelte';
import { held, offer, press, touch, turns, type Answer } from './selection';
import type { ActionView, Event, Prospect, Refusal } from '../api/view';
import { go } from '../platform/route.svelte';
import type { Command, GameInfo, Place, Problem, Snapshot } from '../api/types';

/** Why nothing came of a touch, shown at the cell. */
export interface Remark {
  cell: string;
  text: string;
  refusal: Refusal | null;
}

export class Match {
  /** The last word of the server. */
  truth: Snapshot | null = $state.raw(null);
  shown: Picture | null = $state.raw(null);
  touched: string[] = $state.raw([]);
  /** How the piece in hand is held, clockwise in degrees: it stays so from one piece to the next. */
  turn = $state(0);
  /** Actions among which the person is to choose by name, or to agree to a warning. */
  asking: ActionView[] | null = $state.raw(null);
  remark: Remark | null = $state.raw(null);
  /** The action that is on its way to the server. */
  sent: ActionView | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);
  /** Whether the match can be shown at all. */
  failed: Problem | null = $state.raw(null);
  /** When the server said what the clocks show, as `performance.now()` has it. */
  toldAt = $state(0);
  online = $state(true);

  readonly voice: Voice;
  /** Who is here besides, and what is said. */
  readonly company: Company;
  private readonly notices: Notices;
  private readonly enquiries: Enquiries;
  private readonly connection: Connection;
  private readonly film = new Film({
    begin: (update, skipped) => this.begin(update, skipped),
    show: (picture) => this.show(picture),
    breath: ({ snapshot, played }) => (this.isMine((played[0] ?? snapshot.log.at(-1))?.seat) ? 0 : BREATH),
  });
  /** The action that the focus is on: what it would bring is said. */
  listened: ActionView | null = null;
  private command: string | null = null;
  private readonly contributions: Contributions;

  constructor(
    readonly id: string,
    readonly game: GameInfo,
  ) {
    const tokens = tokensOf(id);
    this.enquiries = new Enquiries(id, tokens);
    this.voice = new Voice(game);
    this.contributions = new Contributions(id, (command) => this.connection.send(command));
    this.notices = new Notices(id, game, (text) => this.say(text));
    this.trial = new Trial(this.enquiries, (snapshot, since) => {
      if (since === null) this.film.jump(snapshot);
      else this.film.add({ snapshot, played: snapshot.log.slice(since) });
      this.review.tried(snapshot, this.trial.line);
    });
    this.plan = new Plan(this.trial, this.enquiries, this.voice, !game.has_chance);
    this.company = new Company(id, {
      say: (seat, text) => this.connection.say(seat, text),
      report: (seat, line) => this.connection.report(seat, line),
    });
    const origin = location.origin.replace(/^http/, 'ws');
    this.connection = new Connection(`${origin}/api/matches/${encodeURIComponent(id)}/socket`, tokens, {
      snapshot: (snapshot) => this.take(snapshot),
      update: (snapshot) => this.update(snapshot),
      done: (id) => this.answered(id),
      refused: (id, problem) => this.refused(id, problem),
      online: (yes) => {
        this.online = yes;
        if (!yes) this.company.cut();
      },
      analysis: (analysis) => this.review.hear(analysis),
      study: (part) => this.review.learn(part),
      unanalysed: (problem) => this.review.refuse(problem),
      presence: (seats, watching, waits) => {
        if (this.truth) this.notices.meet(this.truth, this.company.presence, seats);
        this.company.meet(seats, watching, waits);
      },
      chat: (lines, whole) => {
        const heard = this.company.hear(lines, whole);
        if (this.truth) this.notices.hear(this.truth, heard);
      },
      reported: (line) => this.company.thanks(line),
    });
  }

  /** Whether somebody here is to act, and can. */
  readonly mine = $derived.by(() => {
    const now = this.shown?.snapshot;
    // What is tried out is done for everybody.
    if (now !== undefined && this.trial.on) return now.view.actions.length > 0;
    // What is looked at again cannot be played again.
    if (now === undefined || now.paused || this.truth?.status === 'over') return false;
    return now.acting !== null && now.seats[now.acting]?.yours === true;
  });

  /** The seat that is played here now: the one to act, or ours while others act. */
  readonly own = $derived.by((): number | null => {
    const { acting, seats } = this.truth ?? { acting: null, seats: [] };
    if (acting !== null && seats[acting]?.yours) return acting;
    return seats.find(({ yours }) => yours)?.seat ?? null;
  });

  /** Whether anybody else acts in this match. */
  readonly others = $derived(this.truth?.seats.some(({ yours }) => !yours) ?? false);

  /** Whether there are other people in it. */
  readonly people = $derived(
    this.truth?.seats.some(({ kind, yours }) => kind === 'person' && !yours) ?? false,
  );

  readonly moving = $derived((this.shown?.duration ?? 0) > 0);

  /** The actions that can be chosen now. */
  readonly actions = $derived.by((): ActionView[] => {
    const now = this.shown?.snapshot;
    const acts = now?.status === 'playing' || this.trial.on;
    return now && acts && this.mine && !this.moving && !this.sent ? now.view.actions : [];
  });

  /** The ways in which the piece in hand can be turned. */
  readonly turns = $derived(turns(this.actions, this.touched));
  /** The way in which it is held; null if that makes no difference. */
  readonly held = $derived(held(this.turns, this.turn));

  readonly offer = $derived(offer(this.actions, this.touched, this.held));

  /** The one action that is to be agreed to. */
  readonly asked = $derived(this.asking?.length === 1 ? (this.asking[0] ?? null) : null);

  /** What can be acted on, or tried out. */
  private readonly picture = $derived.by(() => ({ seq: this.truth?.seq ?? -1, at: this.trial.at }));

  readonly prospects = new Prospects<{ seq: number; at: Place | null }>(
    ({ seq, at }, token) => this.enquiries.prospect(seq, token, at),
    (action, prospect) => this.tellProspect(action, prospect),
  );

  /** What is tried out and not played. */
  readonly trial: Trial;

  /** What is answered before it is asked, where one has days for a turn. */
  readonly plan: Plan;

  /** The match looked at again, once it is over. */
  readonly review = new Review({
    then: (place) => this.then(place),
    analyse: (place, line) => this.connection.analyse(place, line),
    leave: () => this.leaveTrial(),
    back: () => this.truth && this.film.jump(this.truth),
    show: (snapshot, step) =>
      step ? this.film.add({ snapshot, played: snapshot.log.slice(-1) }) : this.film.jump(snapshot),
    tell: (position) => this.voice.worth(this.shown?.snapshot.view, position),
  });

  close(): void {
    this.film.stop();
    this.connection.close();
  }

  wake(): void {
    this.connection.wake();
  }

  // What the person does

  touch(cell: string): void {
    this.remark = null;
    this.problem = null;
    if (this.film.running) {
      // What others did is only cut short: nobody acts on a picture that they have not seen.
      const own = this.film.waiting.length === 0 && this.isMine(this.truth?.log.at(-1)?.seat);
      this.film.skip();
      if (!own) return;
    }
    if (this.sent) return;
    if (this.actions.length === 0) {
      this.remarkAt(cell, this.trial.on ? m.remark_nothing() : whyNothing(this.truth, this.mine), null);
      return;
    }
    if (this.asking) this.ponder(cell);
    else this.settle(touch(this.actions, this.touched, cell, this.turn), cell);
  }

  /** Turns the piece in hand, clockwise or back. False if there is nothing to turn. */
  rotate(by: 1 | -1): boolean {
    const ways = this.turns;
    if (ways.length < 2 || this.held === null) return false;
    this.turn = ways[(ways.indexOf(this.held) + by + ways.length) % ways.length] ?? 0;
    this.remark = null;
    if (this.asked) {
      const count = this.touched.length;
      this.asking = this.offer.actions.filter(({ touches }) => touches.length === count);
    } else this.say(m.said_turned({ degrees: this.turn }));
    return true;
  }

  /** The button of an action, or its line in a menu. */
  press(action: ActionView): void {
    this.settle(press(action, this.touched), null);
  }

  /** Agrees: one of the actions that were asked about, its warning read. */
  choose(action: ActionView): void {
    this.asking = null;
    this.touched = [];
    this.do('play', action);
  }

  /** Takes back the last touch, or whatever is being asked. True if there was anything. */
  back(): boolean {
    const had = this.asking !== null || this.remark !== null || this.touched.length > 0 || this.film.running;
    if (this.film.running) this.film.skip();
    else if (this.asking) {
      this.asking = null;
      this.touched = this.touched.slice(0, -1);
    } else if (this.remark) this.remark = null;
    else this.touched = this.touched.slice(0, -1);
    return had;
  }

  /** Agrees to what is asked, or to the turn; keeps what was tried out. */
  agree(): void {
    if (this.asked) this.choose(this.asked);
    else if (this.plan.on) void this.plan.save();
    else this.confirm();
  }

  /** Back from what is tried out to what holds. */
  leaveTrial(): void {
    if (!this.trial.on && !this.plan.on) return;
    this.trial.end();
    this.plan.on = false;
    this.touched = [];
    this.asking = null;
    if (this.review.on) this.review.tried(null, []);
    else if (this.truth) this.film.jump(this.truth);
  }

  /** The person looks at an action, or at none. */
  consider(action: ActionView | null): void {
    this.prospects.look(action, this.picture);
  }

  undo(whole: boolean): void {
    if (this.trial.on) this.trial.back(whole);
    else if (this.truth?.can.undo) this.do('undo', null, whole ? 'turn' : undefined);
  }

  confirm(): void {
    if (this.truth?.can.confirm) this.do('confirm');
  }

  resign(): void {
    if (this.truth?.can.resign) this.do('resign');
  }

  /** Asks the others for something; `engine:2`: for whoever has seat 2 and has gone. */
  ask(what: string): void {
    this.do('ask', null, what);
  }

  /** Takes a seat back that an engine plays on for. */
  comeBack(seat: number): void {
    this.do('return', null, undefined, seat);
  }

  /** Grants what is asked of one of the seats here, or does not. */
  answer(what: 'accept' | 'decline', seat: number): void {
    this.do(what, null, undefined, seat);
  }

  say(text: string): void {
    this.voice.say(text);
  }

  // What the server says

  private take(snapshot: Snapshot): void {
    const { truth } = this;
    if (truth) {
      this.voice.greet(truth, snapshot);
      this.voice.announce(truth, snapshot, playedSince(truth, snapshot), !this.review.on && !this.trial.on);
    }
    const stays = samePosition(truth, snapshot);
    this.believe(snapshot);
    this.failed = null;
    if (this.trial.on && !stays) this.leaveTrial();
    else if (!this.review.on && !this.trial.on) this.film.jump(snapshot);
  }

  private update(snapshot: Snapshot): void {
    const { truth } = this;
    if (truth && snapshot.seq <= truth.seq) return;
    const next = truth?.next === null ? snapshot.next : null;
    this.believe(snapshot);
    this.command = null;
    // Why something was refused is said of what was then.
    this.problem = null;
    // What is tried out goes on: nothing was played.
    if (!this.trial.on) this.film.add({ snapshot, played: truth ? playedSince(truth, snapshot) : [] });
    if (next !== null) this.followOn(next);
  }

  private believe(snapshot: Snapshot): void {
    if (this.truth) this.notices.tell(this.truth, snapshot, this.plan.answers(snapshot));
    const overtaken = this.plan.on && !samePosition(this.truth, snapshot);
    if (overtaken) this.leaveTrial();
    this.truth = snapshot;
    this.plan.follow(snapshot);
    if (overtaken) this.plan.overtake();
    this.contributions.follow(snapshot);
    this.toldAt = performance.now();
  }

  private begin({ snapshot, played }: Update, skipped: boolean): Picture[] {
    this.touched = [];
    this.asking = null;
    this.remark = null;
    this.sent = null;
    const before = this.shown?.snapshot;
    this.voice.announce(before, snapshot, played, !this.review.on && !this.trial.on);
    if (skipped || still() || document.hidden || !before) {
      if (!skipped) this.sound(played.flatMap(({ events }) => events));
      return [];
    }
    return between(before, snapshot, played, this.game.theme);
  }

  private show(picture: Picture): void {
    this.shown = picture;
    if (picture.duration > 0 || picture.events.length > 0) this.sound(picture.events);
    else if (!this.trial.on) looked(this.id, picture.snapshot);
  }

  private sound(events: Event[]): void {
    if (!settings.sound) return;
    for (const heard of new Set(events.map((event) => event.sound))) if (heard) sound(heard);
  }

  private answered(id: string): void {
    if (id !== this.command) return;
    this.command = null;
    this.sent = null;
  }

  private refused(id: string | null, problem: Problem): void {
    if (id !== null && this.contributions.refused(id, problem)) return;
    if (id === null && this.company.refuse(problem)) return;
    this.sent = null;
    this.touched = [];
    if (id === null && !this.truth) {
      this.failed = problem;
      this.connection.close();
      return;
    }
    if (id === null || id === this.command) this.command = null;
    this.problem = problem;
    this.say(problem.refusal ? speaker(this.game)(problem.refusal.text) : explainProblem(problem));
    void this.resync();
  }

  /** Looks again: what is on the screen may be old. */
  private async resync(): Promise<void> {
    try {
      const now = await this.enquiries.now();
      // It may have been overtaken on its way.
      if (now.seq >= (this.truth?.seq ?? 0)) this.take(now);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.problem = error.problem;
    }
  }

  /** The match as it was; null if it cannot be had. */
  private async then(place: number): Promise<Snapshot | null> {
    try {
      return await this.enquiries.along(place, []);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.problem = error.problem;
      return null;
    }
  }

  private tellProspect(action: ActionView, { texts }: Prospect): void {
    if (action === this.asked || action === this.listened) this.voice.tell(texts);
  }

  // Between the two

  /** A touch while something is asked: the piece is turned where it lies, or goes elsewhere. */
  private ponder(cell: string): void {
    const here = this.touched.at(-1);
    if (cell === here) {
      if (!this.asked || !this.rotate(1)) this.back();
      return;
    }
    const before = this.asked?.touches.length === 0 ? this.touched : this.touched.slice(0, -1);
    this.settle(touch(this.actions, before, cell, this.turn), cell);
  }

  private settle(answer: Answer, cell: string | null): void {
    this.asking = null;
    switch (answer.kind) {
      case 'more':
      case 'back':
        this.touched = answer.touched;
        break;
      case 'play':
        this.touched = [];
        this.do('play', answer.action);
        break;
      case 'ask':
        this.touched = answer.touched;
        this.asking = answer.actions;
        break;
      case 'refused':
        this.touched = answer.touched;
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
    const { truth } = this;
    if (!truth) return;
    if (this.film.running) this.film.skip();
    if (this.trial.on) {
      if (action) void this.attemptOf(action);
      return;
    }
    const seat =
      what === 'undo' || token === 'undo'
        ? truth.log.findLast((entry) => this.isMine(entry.seat))?.seat
        : (who ?? this.own ?? truth.acting);
    if (seat === undefined || seat === null || this.command !== null) return;
    this.sent = action;
    this.problem = null;
    this.remark = null;
    this.touched = [];
    this.asking = null;
    this.command = uuid();
    const command: Command = { id: this.command, seq: truth.seq, seat, do: what };
    this.connection.send(token === undefined ? command : { ...command, token });
  }

  /** Tries an action out. */
  private async attemptOf(action: ActionView): Promise<void> {
    this.sent = action;
    this.touched = [];
    this.asking = null;
    await this.trial.play(action.token);
    this.sent = null;
  }

  private async explain(cell: string, tried: string[], turn: number | null): Promise<void> {
    const { picture } = this;
    try {
      const { refusal } = await this.enquiries.explain(tried, turn, picture.at);
      if (picture !== this.picture) return;
      this.remarkAt(cell, refusal ? speaker(this.game)(refusal.text) : m.remark_nothing(), refusal);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.remarkAt(cell, explainProblem(error.problem), null);
    }
  }

  private remarkAt(cell: string, text: string, refusal: Refusal | null): void {
    this.remark = { cell, text, refusal };
    this.say(text);
  }

  /** To the match that was agreed on after this one: everybody a seat further on, with the same tokens. */
  followOn(next: string): void {
    followed(this.id, next);
    go({ page: 'match', match: next });
  }

  private isMine(seat: number | undefined): boolean {
    return seat !== undefined && this.truth?.seats[seat]?.yours === true;
  }
}
