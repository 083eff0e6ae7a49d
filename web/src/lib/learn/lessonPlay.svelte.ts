/** A lesson being played: the task, the player's try, and the judge's answer. */
import { m } from '../../messages';
import { ApiError } from '../api/http';
import type { LessonRef } from '../api/lessons';
import { translator } from '../i18n/catalogue.svelte';
import { Interaction } from '../match/interaction.svelte';
import { localSnapshot } from '../match/localSnapshot';
import { Judge } from './judge';
import { inLanguage } from '../i18n/languages';
import { isDone, markStep, stepsDone } from './lessons.svelte';
import { markPuzzle } from './puzzles.svelte';
import type { Rush } from './rush.svelte';
import type { Update } from '../match/replay';
import type { MarkedAction } from '../review/review.svelte';
import type { ActionView, Prospect, Refusal } from '../api/view';
import type { GameInfo, LessonInfo, LessonPosition, LogEntry, PuzzleInfo } from '../api/types';

export class LessonPlay extends Interaction {
  step = $state(0);
  /** The positions of this try: the start of the step, and those after each action. */
  private tried: LessonPosition[] = $state.raw([]);
  private line: string[] = $state.raw([]);
  /** Whether the next action of a solution is pointed out. */
  private hinting = $state(false);
  /** Whether all steps are solved. */
  finished = $state(false);
  /** Whether the player has made a mistake. */
  private missed = false;
  /** Whether the solution was shown. */
  helped = $state(false);
  /** Whether the refutation of a wrong turn is being searched. */
  refuting = $state(false);
  /** The user's rating before and after the puzzle; null: it does not count. */
  rated: { before: number; after: number } | null = $state.raw(null);
  private readonly judge: Judge;
  private readonly opened = new Date();

  constructor(
    game: GameInfo,
    readonly lesson: LessonInfo,
    /** The puzzle that the lesson is; null for other lessons. */
    readonly puzzle: PuzzleInfo | null = null,
    /** A rush through puzzles, which counts them itself; null: none. */
    readonly rush: Rush | null = null,
  ) {
    super(game);
    this.judge = new Judge(game.name, lesson.id, rush?.startCore);
    const begun = puzzle || isDone(game.name, lesson) ? 0 : stepsDone(game.name, lesson);
    void this.open(begun);
  }

  readonly now = $derived(this.tried.at(-1) ?? null);
  readonly status = $derived(this.now?.status ?? 'playing');
  readonly count = $derived(this.line.length);

  /** The answer of the judge to the try: the lesson learnt, or why it is wrong. */
  readonly answer = $derived.by((): string | null => {
    if (!this.now || this.status === 'playing') return null;
    if (this.now.text) return inLanguage(this.now.text);
    return this.status === 'wrong' ? m.lesson_wrong_common() : null;
  });

  /** The actions of the other seats after a whole turn. */
  readonly replied = $derived.by((): LogEntry[] => {
    const { log = [], seat } = this.now ?? {};
    if (this.status === 'playing') return [];
    const last = log.findLastIndex((entry) => entry.seat === seat);
    return log.slice(last + 1).filter((entry) => entry.seat >= 0);
  });

  readonly task = $derived.by(() => {
    const step = this.lesson.steps[this.step];
    return step ? inLanguage(step.task) : '';
  });

  readonly actions = $derived.by((): ActionView[] => {
    if (this.status !== 'playing' || this.animating || this.pending) return [];
    return this.frame?.snapshot.view.actions ?? [];
  });

  private readonly hinted = $derived(
    this.hinting ? (this.actions.find(({ token }) => token === this.now?.hint) ?? null) : null,
  );

  readonly suggested = $derived.by((): readonly MarkedAction[] =>
    this.hinted ? [{ rank: 1, action: this.hinted }] : [],
  );

  readonly selectedSuggestion = $derived(this.hinted?.token ?? null);

  /** Whether a solution can be shown. */
  readonly canHint = $derived(this.status === 'playing' && !this.hinting && this.now !== null);

  protected readonly context = $derived.by((): LessonRef => ({
    game: this.game.name,
    lesson: this.lesson.id,
    step: this.step,
    line: this.line,
  }));

  close(): void {
    this.replay.stop();
    this.judge.close();
  }

  /** Begins a step. */
  async open(step: number): Promise<void> {
    const position = await this.fetch({ ...this.context, step, line: [] });
    if (!position) return;
    this.step = step;
    this.begun(position);
  }

  /** Goes to the next step, or ends the lesson. */
  async next(): Promise<void> {
    if (this.step + 1 < this.lesson.steps.length) await this.open(this.step + 1);
    else this.finished = true;
  }

  /** Whether the last action can be undone: nothing random has followed it. */
  readonly canUndo = $derived.by(() => {
    if (this.status !== 'playing' || this.count === 0) return false;
    const before = this.tried.at(-2)?.log.length ?? 0;
    return this.now?.log.slice(before).every(({ seat }) => seat >= 0) ?? false;
  });

  /** Begins the step again. */
  again(): void {
    const [first] = this.tried;
    if (first) this.begun(first);
  }

  /** Undoes the last action of the try. */
  undo(): void {
    if (!this.canUndo) return;
    this.line = this.line.slice(0, -1);
    this.tried = this.tried.slice(0, -1);
    this.deselect();
    if (this.now) this.replay.jump(localSnapshot(this.game, this.now));
    this.say(m.announce_undone());
  }

  /** Points out the next action of a solution; begins again if the try leads to none. */
  hint(): void {
    if (this.now?.hint === null) this.again();
    this.hinting = true;
    this.deselect();
    const action = this.hinted;
    this.wantedRotation = action?.turn ?? this.wantedRotation;
    if (action) this.say(m.lesson_hint_said({ action: translator(this.game)(action.label) }));
  }

  /** Plays the solution of this step. */
  async showSolution(): Promise<void> {
    this.helped = true;
    this.again();
    const { tried } = this;
    for (let now = this.now; now?.status === 'playing'; now = this.now) {
      const action = now.view.actions.find(({ token }) => token === now?.hint);
      if (!action) return;
      await this.play(action);
      // An error, or the player left the step.
      if (this.tried[0] !== tried[0] || this.now === now) return;
    }
  }

  /** Whether a wrong turn can be refuted: by the known reply, or by one that is searched. */
  readonly canRefute = $derived.by(() => {
    if (this.puzzle === null || this.status !== 'wrong' || this.refuting) return false;
    return this.replied.length > 0 || !this.now?.view.outcome;
  });

  /** Plays the refutation of a wrong turn on the board, again and again on demand. */
  async showWhy(): Promise<void> {
    const { now, context, tried } = this;
    if (!now || !this.canRefute) return;
    if (this.replied.length === 0) {
      this.refuting = true;
      const refuted = await this.await(() => this.judge.refuted(context));
      this.refuting = false;
      // The player began again meanwhile.
      if (!refuted || tried !== this.tried) return;
      this.tried = [...tried.slice(0, -1), refuted];
      this.animate(now, refuted);
      return;
    }
    const before = this.tried.at(-2);
    if (before) this.animate(before, now);
  }

  /** Animates the actions between two positions. */
  private animate(from: LessonPosition, to: LessonPosition): void {
    this.replay.jump(localSnapshot(this.game, from));
    this.replay.add({ snapshot: localSnapshot(this.game, to), played: to.log.slice(from.log.length) });
  }

  private begun(position: LessonPosition): void {
    this.tried = [position];
    this.line = [];
    this.dismiss();
    this.hinting = false;
    this.problem = null;
    this.deselect();
    this.replay.jump(localSnapshot(this.game, position));
    this.say(m.lesson_step({ number: this.step + 1, count: this.lesson.steps.length }));
    this.say(this.task);
  }

  protected do(_: 'play', action: ActionView): void {
    void this.play(action);
  }

  private async play(action: ActionView): Promise<void> {
    const { tried, step } = this;
    const line = [...this.line, action.token];
    this.pending = action;
    const position = await this.fetch({ ...this.context, line });
    this.pending = null;
    // The player left the step meanwhile.
    if (!position || tried !== this.tried || step !== this.step) return;
    const since = this.now?.log.length ?? 0;
    this.line = line;
    this.tried = [...tried, position];
    if (position.status !== 'playing') this.hinting = false;
    if (position.status === 'wrong') this.missed = true;
    if (position.status === 'wrong') this.rush?.missed();
    this.replay.add({ snapshot: localSnapshot(this.game, position), played: position.log.slice(since) });
    if (position.status === 'done') this.mark(step + 1);
    if (this.answer === null) return;
    this.say(position.status === 'done' ? m.lesson_right() : m.lesson_wrong());
    this.say(this.answer);
  }

  /** Stores the progress. */
  private mark(count: number): void {
    const { game, lesson, puzzle, missed, helped, opened } = this;
    if (!puzzle) markStep(game.name, lesson.id, count);
    else if (count < lesson.steps.length) return;
    else if (this.rush) this.rush.solved();
    else this.rated = markPuzzle(game.name, puzzle.id, { clean: !missed && !helped, helped, opened });
  }

  private fetch(at: LessonRef): Promise<LessonPosition | null> {
    return this.await(() => this.judge.position(at));
  }

  /** Awaits a position; on an error of the API shows it and returns null. */
  private async await(find: () => Promise<LessonPosition | null>): Promise<LessonPosition | null> {
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.problem;
      return null;
    }
  }

  protected noActionReason(): string {
    return this.answer ?? m.rejection_nothing();
  }

  protected isMine(seat: number | undefined): boolean {
    return seat === this.now?.seat;
  }

  protected knowsPosition(): boolean {
    return this.replay.waiting.length === 0 && this.status === 'playing';
  }

  protected askReason(tried: string[], rotation: number | null): Promise<{ refusal: Refusal | null }> {
    return this.judge.explain(this.context, tried, rotation);
  }

  protected async askProspect(token: string): Promise<Prospect | null> {
    try {
      return await this.judge.prospect(this.context, token);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return null;
    }
  }

  protected announce({ snapshot, played }: Update): void {
    this.announcer.announceChanges(this.frame?.snapshot, snapshot, played, false);
  }
}
