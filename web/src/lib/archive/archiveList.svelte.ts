/** The games that a search of the archive has found so far, page by page. */
import { ApiError } from '../api/http';
import { searchArchive, type ArchiveSearch } from '../api/archive';
import { settings } from '../platform/settings.svelte';
import type { ArchivedGame } from '../api/archive';
import type { Problem } from '../api/types';

type Fetch = typeof searchArchive;

export class ArchiveList {
  games: ArchivedGame[] = $state.raw([]);
  /** The number of all games found; null: unknown. */
  count: number | null = $state(null);
  running = $state(false);
  problem: Problem | null = $state.raw(null);
  private next: string | null = $state(null);
  private search: ArchiveSearch | null = null;

  constructor(private readonly fetch: Fetch = searchArchive) {}

  readonly hasMore = $derived.by(() => this.next !== null);

  /** Begins another search. */
  start(search: ArchiveSearch): Promise<void> {
    this.search = search;
    this.games = [];
    this.count = null;
    return this.load(search, null);
  }

  /** Loads the next page, or tries again after a failure. */
  more(): Promise<void> {
    return this.search ? this.load(this.search, this.next) : Promise.resolve();
  }

  private async load(search: ArchiveSearch, after: string | null): Promise<void> {
    this.running = true;
    this.problem = null;
    try {
      const page = await this.fetch(search, after, settings.language);
      if (search !== this.search) return;
      this.games = [...this.games, ...page.games];
      this.count = page.count;
      this.next = page.next;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (search === this.search) this.problem = error.problem;
    } finally {
      if (search === this.search) this.running = false;
    }
  }
}
