/** The boards of the Live page or of a channel, over one socket. */
import { LiveList } from '../api/liveList.svelte';
import type { LiveBoard } from '../api/server';
import type { View } from '../api/view';

interface Message {
  boards: LiveBoard[];
  views: Record<string, View>;
}

export class LiveBoards extends LiveList<Message> {
  /** The best first; null until the first message. */
  boards: LiveBoard[] | null = $state.raw(null);
  /** By match. */
  views: Record<string, View> = $state.raw({});

  /** `channel`: the game of the channel; null: all games. */
  constructor(channel: string | null) {
    super(`/api/live${channel === null ? '' : `/${encodeURIComponent(channel)}`}/socket`);
  }

  protected override receive({ boards, views }: Message): void {
    const known = { ...this.views, ...views };
    this.views = Object.fromEntries(
      boards.flatMap(({ match }) => (known[match] ? [[match, known[match]]] : [])),
    );
    this.boards = boards;
  }
}
