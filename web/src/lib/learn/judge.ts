/** The judge of tries at a lesson or puzzle: the core in the browser, or the server where that is missing or loading. */
import { ApiError } from '../api/http';
import { explainInLesson, fetchLessonPosition, fetchLessonProspect, type LessonRef } from '../api/lessons';
import { CoreClient } from '../core/client';
import { logEntry } from '../core/log';
import { settings } from '../platform/settings.svelte';
import { lessonData } from './lessonData';
import type { Prospect, Refusal } from '../api/view';
import type { LessonPosition } from '../api/types';
import type { CoreLessonPosition, LessonData, Place } from '../core/types';

export class Judge {
  private readonly core: CoreClient;
  private lesson: LessonData | null = null;
  /** Whether the core judges; rejects never. */
  private readonly loaded: Promise<boolean>;
  /** The last position, to which questions refer. */
  private last: { at: LessonRef; position: CoreLessonPosition } | null = null;

  constructor(
    game: string,
    id: string,
    startCore: () => CoreClient = () => new CoreClient(),
    load: (game: string, id: string) => Promise<LessonData | null> = lessonData,
  ) {
    this.core = startCore();
    this.loaded = this.load(game, id, load);
  }

  close(): void {
    this.core.close();
  }

  /** A step after the player's actions. */
  position(at: LessonRef): Promise<LessonPosition> {
    return this.ask(
      () => this.judged(at),
      () => fetchLessonPosition(at, settings.language),
    );
  }

  /** Why no action is possible with these cells. `turn`: the rotation of the selected piece in degrees. */
  explain(at: LessonRef, touched: string[], turn: number | null): Promise<{ refusal: Refusal | null }> {
    return this.ask(
      async () => ({ refusal: await this.core.ask('explain', { ...(await this.place(at)), touched, turn }) }),
      () => explainInLesson(at, touched, turn, settings.language),
    );
  }

  prospect(at: LessonRef, token: string): Promise<Prospect> {
    return this.ask(
      async () => this.core.ask('prospect', { ...(await this.place(at)), token }),
      () => fetchLessonProspect(at, token, settings.language),
    );
  }

  /** Fetches the lesson and starts the core. */
  private async load(
    game: string,
    id: string,
    load: (game: string, id: string) => Promise<LessonData | null>,
  ): Promise<boolean> {
    try {
      const lesson = await load(game, id);
      if (lesson) await this.core.ask('lesson', { game, lesson, step: 0, line: [] });
      this.lesson = lesson;
    } catch (error) {
      // Without the core or its data the server judges.
      if (!(error instanceof ApiError)) throw error;
    }
    return this.lesson !== null;
  }

  private async ask<Answer>(byCore: () => Promise<Answer>, byServer: () => Promise<Answer>): Promise<Answer> {
    if (this.lesson) return byCore();
    try {
      return await byServer();
    } catch (error) {
      if (!(error instanceof ApiError) || error.problem.code !== 'offline') throw error;
      if (await this.loaded) return byCore();
      throw error;
    }
  }

  private async judged(at: LessonRef): Promise<LessonPosition> {
    const position = await this.judge(at);
    return { ...position, log: position.log.map((entry, number) => logEntry(entry, number + 1)) };
  }

  private async judge(at: LessonRef): Promise<CoreLessonPosition> {
    const { game, step, line } = at;
    const { lesson } = this;
    if (!lesson) throw new ApiError({ code: 'no-core', params: {}, message: '' }, 0);
    const position = await this.core.ask('lesson', { game, lesson, step, line });
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
