/** The boards of the Live page or of a channel, over one socket. */
import { LiveList } from '../api/liveList.svelte';
import { applyPatch, type Patch } from '../api/patch';
import type { LiveBoard, LiveChangeMessage, LiveMessage } from '../api/server';
import type { View } from '../api/view';

/** All boards, and then the changes. */
type Message = LiveMessage | LiveChangeMessage;

export class LiveBoards extends LiveList<Message> {
  /** The best first; null until the first message. */
  boards: LiveBoard[] | null = $state.raw(null);
  /** By match. */
  views: Record<string, View> = $state.raw({});

  /** `channel`: the game of the channel; null: all games. */
  constructor(channel: string | null) {
    super(`/api/live${channel === null ? '' : `/${encodeURIComponent(channel)}`}/socket`);
  }

  protected override receive(message: Message): void {
    const { boards, views } =
      message.type === 'live'
        ? message
        : applyPatch({ boards: this.boards ?? [], views: this.views }, message.changes as Patch);
    this.views = Object.fromEntries(
      boards.flatMap(({ match }) => (views[match] ? [[match, views[match]]] : [])),
    );
    this.boards = boards;
  }
}
