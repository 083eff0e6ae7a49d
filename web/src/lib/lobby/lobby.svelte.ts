/** The live list of open games. */
import { LiveList } from '../api/liveList.svelte';
import type { Challenge } from '../api/types';

interface Message {
  challenges: Challenge[];
}

export class Lobby extends LiveList<Message> {
  /** The oldest first; null until the first message. */
  challenges: Challenge[] | null = $state.raw(null);

  constructor() {
    super('/api/lobby/socket');
  }

  protected override receive({ challenges }: Message): void {
    this.challenges = challenges;
  }
}
