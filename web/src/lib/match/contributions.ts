/** What the seats of this browser mix into the draws of a match, as soon as they have seen the commitment. */
import { contributionOf, forgetContribution, noteCommitment } from './fairness';
import type { Command, Problem, Snapshot } from '../api/types';

/** How long to wait before something is sent again that the server could not take, in milliseconds. */
const AGAIN = 2000;

export class Contributions {
  private noted = false;
  /** By seat, what was sent: the id of its command, too, as it is as unique. */
  private readonly sent = new Map<number, string>();

  constructor(
    private readonly match: string,
    private readonly send: (command: Command) => void,
  ) {}

  /** Sends what is awaited of the seats that are ours. */
  follow({ chance, seats, status }: Snapshot): void {
    // What is told only when the match is over binds nobody.
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

  /** A command was refused. Whether it is nobody's business: another browser at this seat was first. */
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
