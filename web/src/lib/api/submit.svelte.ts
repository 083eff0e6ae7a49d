import { ApiError } from './http';
import type { Problem } from './types';

/** State of a request that the user started: whether it runs, and its error. */
export class Submission {
  busy = $state(false);
  problem: Problem | null = $state.raw(null);

  /** Runs the request and stores an API error; other errors are thrown. */
  async run(what: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    this.problem = null;
    try {
      await what();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.problem;
    } finally {
      this.busy = false;
    }
  }
}
