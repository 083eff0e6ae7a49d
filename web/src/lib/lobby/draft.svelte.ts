/** A match before its creation: the options, and the start position under them. */
import { fetchPreview } from '../api/matches';
import { ApiError } from '../api/http';
import { defaultOptions } from './createMatch';
import type { View } from '../api/view';
import type { GameInfo, Options, Problem } from '../api/types';

export class Draft {
  options: Options = $state({});
  view: View | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);

  /** For use in a component: an effect follows the options. */
  constructor(game: GameInfo) {
    this.options = defaultOptions(game);
    $effect(() => {
      const asked = $state.snapshot(this.options);
      void fetchPreview(game.name, asked, 'en').then(
        (answer) => (this.view = answer.view),
        (error: unknown) => (this.problem = error instanceof ApiError ? error.problem : null),
      );
    });
  }
}
