/** Plays what happened, one update after another, on a screen. */
import { rest, type Picture } from './frame';
import type { LogEntry, Snapshot } from '../api/types';

export interface Update {
  snapshot: Snapshot;
  /** What was played since the picture before, with what it did. */
  played: readonly LogEntry[];
}

export interface Screen {
  /** An update begins to be shown, or is passed over: the pictures on the way, none to go there at once. */
  begin(update: Update, skipped: boolean): Picture[];
  /** To be drawn now. */
  show(picture: Picture): void;
  /** How long to rest before this update, after another, in milliseconds. */
  breath(update: Update): number;
}

export class Film {
  private queue: Update[] = [];
  private frames: Picture[] = [];
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
    const breath = again ? this.screen.breath(update) : 0;
    if (breath > 0) {
      this.wait(breath, false);
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
    this.screen.show(rest(goal));
  }
}
