import { ApiError } from './http';
import type { Problem } from './types';

/** Something that a person asks the server for: whether it goes on, and why it was refused. */
export class Submission {
  busy = $state(false);
  problem: Problem | null = $state.raw(null);

  /** Does it, and keeps the refusal; anything else that goes wrong is thrown. */
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
