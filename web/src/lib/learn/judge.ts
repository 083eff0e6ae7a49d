/** The judge of tries at a lesson or puzzle: the core in the browser, or the server where that is missing or loading. */
import { ApiError } from '../api/http';
import { explainInLesson, fetchLessonPosition, fetchLessonProspect, type LessonRef } from '../api/lessons';
import { CoreClient } from '../core/client';
import { logEntry } from '../core/log';
import { settings } from '../platform/settings.svelte';
import { lessonData } from './lessonData';
import type { Prospect, Refusal } from '../api/view';
import type { LessonPosition } from '../api/types';
import type { CoreEntry, CoreLessonPosition, LessonData, Place } from '../core/types';

/** How long the best reply to a wrong turn is searched, for each action. */
const REPLY_SECONDS = 0.5;

/** The greatest number of actions of a reply. */
const LONGEST_REPLY = 12;

export class Judge {
  private lesson: LessonData | null = null;
  /** Whether the core judges; null: it has not been started. */
  private loaded: Promise<boolean> | null = null;
  private core: Pick<CoreClient, 'ask' | 'close'> | null = null;
  private closed = false;
  /** The last position, to which questions refer. */
  private last: { at: LessonRef; position: CoreLessonPosition } | null = null;

  constructor(
    private readonly game: string,
    private readonly id: string,
    private readonly startCore: () => Pick<CoreClient, 'ask' | 'close'> = () => new CoreClient(),
    private readonly data: typeof lessonData = lessonData,
  ) {}

  close(): void {
    this.closed = true;
    this.core?.close();
  }

  /** A step after the player's actions. */
  position(at: LessonRef): Promise<LessonPosition> {
    return this.ask(
      () => this.judged(at),
      () => fetchLessonPosition(at, settings.language),
    );
  }

  /** Why no action is possible with these cells. `rotation`: that of the selected piece in degrees. */
  explain(at: LessonRef, touched: string[], rotation: number | null): Promise<{ refusal: Refusal | null }> {
    return this.ask(
      async (core) => ({
        refusal: await core.ask('explain', { ...(await this.place(at)), touched, turn: rotation }),
      }),
      () => explainInLesson(at, touched, rotation, settings.language),
    );
  }

  prospect(at: LessonRef, token: string): Promise<Prospect> {
    return this.ask(
      async (core) => core.ask('prospect', { ...(await this.place(at)), token }),
      () => fetchLessonProspect(at, token, settings.language),
    );
  }

  /** Starts the core once and fetches the lesson. Resolves to whether the core judges from then on. */
  private start(): Promise<boolean> {
    this.loaded ??= this.load();
    return this.loaded;
  }

  private async load(): Promise<boolean> {
    if (this.closed) return false;
    const { game } = this;
    const core = this.startCore();
    this.core = core;
    try {
      const lesson = await this.data(game, this.id);
      if (lesson) await core.ask('lesson', { game, lesson, step: 0, line: [] });
      this.lesson = lesson;
    } catch (error) {
      // Without the core or its data the server judges.
      if (!(error instanceof ApiError)) throw error;
    }
    return this.lesson !== null;
  }

  private async ask<Answer>(
    byCore: (core: Pick<CoreClient, 'ask'>) => Promise<Answer>,
    byServer: () => Promise<Answer>,
  ): Promise<Answer> {
    if (this.lesson && this.core) return byCore(this.core);
    try {
      const answer = await byServer();
      // The first position does not wait for the core.
      void this.start();
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError) || error.problem.code !== 'offline') throw error;
      if ((await this.start()) && this.core) return byCore(this.core);
      throw error;
    }
  }

  /**
   * A try with the best reply of the other seats to it, as far as they act before the player; null: there is no core, or
   * no reply.
   */
  async refuted(at: LessonRef): Promise<LessonPosition | null> {
    if (!(await this.start()) || !this.core) return null;
    const { core } = this;
    const tried = await this.judge(at);
    const { game } = at;
    const { options, position } = tried;
    const replies: CoreEntry[] = [];
    for (;;) {
      const place: Place = { game, options, position, line: replies.map(({ token }) => token) };
      const now = await core.ask('position', { ...place, seat: tried.seat });
      const over = now.to_act === null || now.to_act === tried.seat || replies.length >= LONGEST_REPLY;
      if (over && replies.length === 0) return null;
      if (over) {
        const log = [...tried.log, ...replies].map((entry, number) => logEntry(entry, number + 1));
        const acting = now.to_act !== null && now.to_act >= 0 ? now.to_act : null;
        return { ...tried, log, acting, view: { ...now.view, actions: [] } };
      }
      const token =
        now.to_act === -1
          ? now.chance[0]?.[0]
          : (await core.ask('analyse', { ...place, seconds: REPLY_SECONDS, fresh: true })).best;
      if (token === null || token === undefined) return null;
      replies.push(await core.ask('entry', { ...place, line: [...place.line, token] }));
    }
  }

  private async judged(at: LessonRef): Promise<LessonPosition> {
    const position = await this.judge(at);
    return { ...position, log: position.log.map((entry, number) => logEntry(entry, number + 1)) };
  }

  private async judge(at: LessonRef): Promise<CoreLessonPosition> {
    const { game, step, line } = at;
    const { lesson, core } = this;
    if (!lesson || !core) throw new ApiError({ code: 'no-core', params: {}, message: '' }, 0);
    const position = await core.ask('lesson', { game, lesson, step, line });
    this.last = { at, position };
    return position;
  }

  private async place(at: LessonRef): Promise<Place> {
    const { last } = this;
    const known = last?.at.step === at.step && last.at.line.join(' ') === at.line.join(' ');
    const { options, position } = known ? last.position : await this.judge(at);
    return { game: at.game, options, position, line: [] };
  }
}
