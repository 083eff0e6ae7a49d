/** One match in this browser: what is true, what is shown on the way there, and what the person is about to do. */
import * as m from '../paraglide/messages';
import * as api from './api';
import { speaker } from './catalogue.svelte';
import { Company } from './company.svelte';
import { Connection } from './connection';
import { Contributions } from './contributions';
import { explainProblem } from './errors';
import { Film, type Update } from './film';
import { Notices } from './notices';
import { Plan } from './plan.svelte';
import { between, type Picture } from './picture';
import { settings, still } from './settings.svelte';
import { percent, Review } from './review.svelte';
import { play as sound } from './sound';
import { followed, looked, tokensOf } from './storage';
import { Prospects } from './prospects.svelte';
import { Trial } from './trial.svelte';
import { uuid } from './uuid';
import { held, offer, press, touch, turns, type Answer } from './touch';
import type { ActionView, Event, Prospect, Refusal } from './view';
import { go } from './route.svelte';
import type { Analysis, Command, GameInfo, Problem, Snapshot } from './wire';

/** A pause before what somebody else did next, so that one sees them apart. */
const BREATH = 180;

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
  /** What a screen reader is told, in order. */
  spoken: { id: number; text: string }[] = $state.raw([]);

  /** Who is here besides, and what is said. */
  readonly company: Company;
  private readonly notices: Notices;
  private readonly tokens: string[];
  private readonly connection: Connection;
  private readonly film = new Film({
    begin: (update, skipped) => this.begin(update, skipped),
    show: (picture) => this.show(picture),
    breath: ({ snapshot }) => (this.isMine(snapshot.log.at(-1)?.seat) ? 0 : BREATH),
  });
  /** The action that the focus is on: what it would bring is said. */
  listened: ActionView | null = null;
  private command: string | null = null;
  private readonly contributions: Contributions;
  private said = 0;

  constructor(
    readonly id: string,
    readonly game: GameInfo,
  ) {
    this.tokens = tokensOf(id);
    this.contributions = new Contributions(id, (command) => this.connection.send(command));
    this.notices = new Notices(id, game, (text) => this.say(text));
    this.plan = new Plan(
      this.trial,
      {
        read: (seat) => api.plan(id, seat, this.tokens, settings.language),
        write: (seat, seq, lines) => api.makePlan(id, { seat, seq, lines }, this.tokens, settings.language),
        along: (place, line) => this.along(place, line),
        say: (text) => this.say(text),
      },
      !game.has_chance,
    );
    this.company = new Company(id, {
      say: (seat, text) => this.connection.say(seat, text),
      report: (seat, line) => this.connection.report(seat, line),
    });
    const origin = location.origin.replace(/^http/, 'ws');
    this.connection = new Connection(`${origin}/api/matches/${encodeURIComponent(id)}/socket`, this.tokens, {
      snapshot: (snapshot) => this.take(snapshot),
      update: (snapshot, events) => this.update({ snapshot, events }),
      done: (id) => this.answered(id),
      refused: (id, problem) => this.refused(id, problem),
      online: (yes) => (this.online = yes),
      analysis: (analysis) => this.review.hear(analysis),
      study: (part) => this.review.learn(part),
      unanalysed: (problem) => this.review.refuse(problem),
      presence: (seats, watching) => {
        if (this.truth) this.notices.meet(this.truth, this.company.presence, seats);
        this.company.meet(seats, watching);
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
    if (now !== undefined && this.trial.on) return now.acting !== null;
    // What is looked at again cannot be played again.
    if (now === undefined || this.truth?.status === 'over') return false;
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
    return now && this.mine && now.status === 'playing' && !this.moving && !this.sent ? now.view.actions : [];
  });

  /** The ways in which the piece in hand can be turned. */
  readonly turns = $derived(turns(this.actions, this.touched));
  /** The way in which it is held; null if that makes no difference. */
  readonly held = $derived(held(this.turns, this.turn));

  readonly offer = $derived(offer(this.actions, this.touched, this.held));

  /** The one action that is to be agreed to. */
  readonly asked = $derived(this.asking?.length === 1 ? (this.asking[0] ?? null) : null);

  readonly prospects = new Prospects(
    (seq, token) => this.foresee(seq, token),
    (action, prospect) => this.tellProspect(action, prospect),
  );

  /** What is tried out and not played. */
  readonly trial: Trial = new Trial({
    along: (place, line) => this.along(place, line),
    show: (snapshot, since) =>
      since === null
        ? this.film.jump(snapshot)
        : this.film.add({ snapshot, events: snapshot.log.slice(since).flatMap(({ events }) => events) }),
  });

  /** What is answered before it is asked, where one has days for a turn. */
  readonly plan: Plan;

  /** The match looked at again, once it is over. */
  readonly review = new Review({
    then: (place) => this.then(place),
    analyse: (place) => this.connection.analyse(place),
    show: (snapshot, step) =>
      step
        ? this.film.add({ snapshot, events: snapshot.log.at(-1)?.events ?? [] })
        : this.film.jump(snapshot),
    tell: (position) => this.say(this.told(position)),
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
      this.remarkAt(cell, this.whyNot(), null);
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
    this.trial.end();
    this.plan.on = false;
    this.touched = [];
    this.asking = null;
    if (this.truth) this.film.jump(this.truth);
  }

  /** The person looks at an action, or at none. */
  consider(action: ActionView | null): void {
    this.prospects.look(this.trial.on ? null : action, this.truth?.seq ?? -1);
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
    this.said += 1;
    this.spoken = [...this.spoken.slice(-7), { id: this.said, text }];
  }

  // What the server says

  private take(snapshot: Snapshot): void {
    this.greet(snapshot);
    const stays = this.stays(snapshot);
    this.believe(snapshot);
    this.failed = null;
    if (this.trial.on && !stays) this.leaveTrial();
    else if (!this.review.on && !this.trial.on) this.film.jump(snapshot);
  }

  private update(update: Update): void {
    if (this.truth && update.snapshot.seq <= this.truth.seq) return;
    if (this.truth) this.notices.tell(this.truth, update.snapshot);
    const next = this.truth?.next === null ? update.snapshot.next : null;
    const stays = this.stays(update.snapshot);
    if (this.plan.on && !stays) {
      this.leaveTrial();
      this.say(m.plan_gone_on());
    }
    this.believe(update.snapshot);
    this.command = null;
    // What is tried out goes on: nothing was played.
    if (!this.trial.on) this.film.add(update);
    if (next !== null) this.followOn(next);
  }

  /** Whether a picture is still of the same position. */
  private stays({ log, status }: Snapshot): boolean {
    const before = this.truth;
    return (
      before?.status === status &&
      before.log.length === log.length &&
      before.log.at(-1)?.seq === log.at(-1)?.seq
    );
  }

  private believe(snapshot: Snapshot): void {
    this.truth = snapshot;
    this.plan.follow(snapshot);
    this.contributions.follow(snapshot);
    this.toldAt = performance.now();
  }

  private begin({ snapshot, events }: Update, skipped: boolean): Picture[] {
    this.touched = [];
    this.asking = null;
    this.remark = null;
    this.sent = null;
    this.announce(snapshot, events);
    const before = this.shown?.snapshot;
    if (skipped || still() || document.hidden || !before) {
      if (!skipped) this.sound(events);
      return [];
    }
    return between(before, snapshot, events, this.game.theme);
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
      this.take(await api.snapshot(this.id, this.tokens, settings.language));
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      this.problem = error.problem;
    }
  }

  /** What an action would bring; null if it cannot be had: then there is just nothing more to see. */
  private async foresee(seq: number, token: string): Promise<Prospect | null> {
    try {
      return await api.prospect(this.id, seq, token, this.tokens, settings.language);
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      return null;
    }
  }

  /** The match after so many actions and a line that was not played. */
  private along(place: number, line: readonly string[]): Promise<Snapshot> {
    return api.then(this.id, place, line, this.tokens, settings.language);
  }

  /** The match as it was; null if it cannot be had. */
  private async then(place: number): Promise<Snapshot | null> {
    if (place === this.truth?.log.length) return this.truth;
    try {
      return await this.along(place, []);
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      this.problem = error.problem;
      return null;
    }
  }

  private told({ shares, lines }: Analysis['position']): string {
    const say = speaker(this.game);
    const view = this.shown?.snapshot.view;
    const worth = shares.map((share, seat) => {
      const known = view?.seats[seat];
      return m.share_of({ seat: known ? say(known.name) : String(seat + 1), share: percent(share) });
    });
    const best = view?.actions.find(({ token }) => token === lines[0]?.action);
    const each = worth.join(m.list_comma());
    return best ? m.said_worth({ shares: each, best: say(best.label) }) : m.said_shares({ shares: each });
  }

  private tellProspect(action: ActionView, { texts }: Prospect): void {
    if (action === this.asked || action === this.listened) {
      for (const text of texts) this.say(speaker(this.game)(text));
    }
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
    const seq = this.truth?.seq;
    if (this.trial.on) {
      this.remarkAt(cell, m.remark_nothing(), null);
      return;
    }
    try {
      const { refusal } = await api.explain(this.id, tried, turn, this.tokens, settings.language);
      if (seq !== this.truth?.seq) return;
      this.remarkAt(cell, refusal ? speaker(this.game)(refusal.text) : m.remark_nothing(), refusal);
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      this.remarkAt(cell, explainProblem(error.problem), null);
    }
  }

  private remarkAt(cell: string, text: string, refusal: Refusal | null): void {
    this.remark = { cell, text, refusal };
    this.say(text);
  }

  /** Why there is nothing to touch at all. */
  private whyNot(): string {
    const now = this.truth;
    if (this.trial.on) return m.remark_nothing();
    if (!now || now.status === 'over') return m.remark_over();
    if (now.paused) return m.paused();
    if (!this.mine) return m.remark_not_your_turn();
    if (now.status === 'confirming') return m.remark_confirm_first();
    return m.remark_nothing();
  }

  /** To the match that was agreed on after this one: everybody a seat further on, with the same tokens. */
  followOn(next: string): void {
    followed(this.id, next);
    go({ page: 'match', match: next });
  }

  private isMine(seat: number | undefined): boolean {
    return seat !== undefined && this.truth?.seats[seat]?.yours === true;
  }

  private announce(snapshot: Snapshot, events: Event[]): void {
    const say = speaker(this.game);
    if (events.length > 0 && snapshot.log.at(-1)?.late) this.say(m.said_late());
    for (const { text } of events) if (text) this.say(say(text));
    const before = this.shown?.snapshot;
    if (events.length === 0 && before && snapshot.log.length < before.log.length) this.say(m.said_undone());
    if (snapshot.result && !this.review.on && !this.trial.on) this.say(m.said_over());
  }

  /** Says who has come since the last picture. */
  private greet(snapshot: Snapshot): void {
    for (const { seat, open, name, yours } of snapshot.seats) {
      const known = snapshot.view.seats[seat];
      if (open || yours || !known || !this.truth?.seats[seat]?.open) continue;
      const called = speaker(this.game)(known.name);
      this.say(name ? m.said_joined({ seat: called, name }) : m.said_joined_nameless({ seat: called }));
    }
  }
}
