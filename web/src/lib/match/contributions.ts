/**
 * Contributions: random data that the seats of this browser add to the draws, once the commitment is known.
 */
import { contributionOf, forgetContribution, noteCommitment } from './fairness';
import type { Command, Problem, Snapshot } from '../api/types';

/** Delay before a contribution is sent again, in milliseconds. */
const AGAIN = 2000;

export class Contributions {
  private noted = false;
  /** By seat: the contribution, which is also the id of its command. */
  private readonly sent = new Map<number, string>();

  constructor(
    private readonly match: string,
    private readonly send: (command: Command) => void,
  ) {}

  /** Sends the contributions of own seats that are still missing. */
  follow({ chance, seats, status }: Snapshot): void {
    // A commitment published after the end proves nothing.
    if (!chance || status === 'over') return;
    if (!this.noted) noteCommitment(this.match, chance.commitment);
    this.noted = true;
    for (const seat of chance.awaited) {
      if (!seats[seat]?.yours || this.sent.has(seat)) continue;
      const token = contributionOf(this.match, seat, chance.commitment);
      this.sent.set(seat, token);
      this.send({ id: token, seq: 0, seat, do: 'contribute', token });
    }
  }

  /** Returns whether a rejected command needs no message: another browser contributed first. */
  refused(id: string, { code }: Problem): boolean {
    const seat = [...this.sent].find(([, token]) => token === id)?.[0];
    if (seat === undefined) return false;
    if (code !== 'not-awaited') {
      setTimeout(() => this.sent.delete(seat), AGAIN);
      return false;
    }
    forgetContribution(this.match, seat);
    return true;
  }
}
