/** Plays what happened, one update after another, on a screen. */
import { restFrame, type Frame } from '../board/frame';
import type { LogEntry, Snapshot } from '../api/types';

export interface Update {
  snapshot: Snapshot;
  /** What was played since the frame before, with what it did. */
  played: readonly LogEntry[];
}

export interface Screen {
  /** An update begins to be shown, or is passed over: the pictures on the way, none to go there at once. */
  begin(update: Update, skipped: boolean): Frame[];
  /** To be drawn now. */
  show(frame: Frame): void;
  /** How long to rest before this update, after another, in milliseconds. */
  pauseBefore(update: Update): number;
}

export class Replay {
  private queue: Update[] = [];
  private frames: Frame[] = [];
  private goal: Snapshot | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly screen: Screen) {}

  /** Whether anything is still to be shown. */
  get running(): boolean {
    return this.timer !== undefined;
  }

  /** What is to be shown after the present update. */
  get waiting(): readonly Update[] {
    return this.queue;
  }

  add(update: Update): void {
    this.queue.push(update);
    if (!this.running) this.next(false);
  }

  /** To the end of all that is known. */
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

  /** Somewhere else, whatever was being shown. */
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
