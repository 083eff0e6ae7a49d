/** Plays updates one after another as frames. */
import { restFrame, type Frame } from '../board/frame';
import type { LogEntry, Snapshot } from '../api/types';

export interface Update {
  snapshot: Snapshot;
  /** The actions since the frame before, with their events. */
  played: readonly LogEntry[];
}

export interface Screen {
  /** Begins or skips an update; returns the frames on the way, if any. */
  begin(update: Update, skipped: boolean): Frame[];
  /** Draws a frame. */
  show(frame: Frame): void;
  /** The pause before an update, in milliseconds. */
  pauseBefore(update: Update): number;
}

export class Replay {
  private queue: Update[] = [];
  private frames: Frame[] = [];
  private goal: Snapshot | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly screen: Screen) {}

  /** Whether frames or updates are left. */
  get running(): boolean {
    return this.timer !== undefined;
  }

  /** The updates after the current one. */
  get waiting(): readonly Update[] {
    return this.queue;
  }

  add(update: Update): void {
    this.queue.push(update);
    if (!this.running) this.next(false);
  }

  /** Jumps to the latest state. */
  skip(): void {
    this.stop();
    this.frames = [];
    for (const update of this.queue) {
      this.screen.begin(update, true);
      this.goal = update.snapshot;
    }
    this.queue = [];
    this.arrive();
  }

  /** Jumps to a snapshot and drops everything else. */
  jump(snapshot: Snapshot): void {
    this.stop();
    this.queue = [];
    this.frames = [];
    this.goal = snapshot;
    this.arrive();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private next(again: boolean): void {
    this.timer = undefined;
    const frame = this.frames.shift();
    if (frame) {
      this.wait(frame.duration + frame.reading, true);
      this.screen.show(frame);
      return;
    }
    this.arrive();
    const [update] = this.queue;
    if (!update) return;
    const pauseBefore = again ? this.screen.pauseBefore(update) : 0;
    if (pauseBefore > 0) {
      this.wait(pauseBefore, false);
      return;
    }
    this.queue.shift();
    this.goal = update.snapshot;
    this.frames = this.screen.begin(update, false);
    this.next(true);
  }

  private wait(time: number, again: boolean): void {
    this.timer = setTimeout(() => this.next(again), time);
  }

  private arrive(): void {
    if (!this.goal) return;
    const { goal } = this;
    this.goal = null;
    this.screen.show(restFrame(goal));
  }
}
