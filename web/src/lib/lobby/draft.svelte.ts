/** A match before its creation: the options, and the start position under them. */
import { fetchPreview } from '../api/matches';
import { ApiError } from '../api/http';
import type { Beginning } from './createMatch';
import { defaultOptions } from './options';
import type { View } from '../api/view';
import type { GameSummary, Options, Problem } from '../api/types';

export class Draft {
  options: Options = $state({});
  view: View | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);

  /** For use in a component: an effect follows the options. A game from a position has its options. */
  constructor(game: GameSummary, from: Beginning | null = null) {
    if (from) {
      this.options = from.options;
      this.view = from.view;
      return;
    }
    this.options = defaultOptions(game);
    $effect(() => {
      const asked = $state.snapshot(this.options);
      void startPosition(game.name, asked).then(
        (view) => (this.view = view),
        (error: unknown) => (this.problem = error instanceof ApiError ? error.problem : null),
      );
    });
  }
}

/** The start position by the server, without the network by the core in the browser. */
async function startPosition(game: string, options: Options): Promise<View> {
  try {
    return (await fetchPreview(game, options)).view;
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem.code !== 'offline') throw error;
    const { CoreClient } = await import('../core/client');
    const core = new CoreClient();
    const words = Object.entries(options).map(([name, value]) => [name, String(value)]);
    const place = { game, options: Object.fromEntries(words), position: null, line: [] };
    try {
      return (await core.ask('position', place)).view;
    } finally {
      core.close();
    }
  }
}
