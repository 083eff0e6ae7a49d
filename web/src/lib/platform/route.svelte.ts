/** The route: `/`, a named page, `/learn/GAME/LESSON`, `/puzzles/GAME/ID`, `/puzzles/GAME/rush`, `/rules/GAME[/summary]`, `/analysis`, `/archive`, `/live[/GAME]`, `/tournaments/ID[/wall]`, `/@/NAME`, or `/match/ID` with its fragment. */
import { type Fragment, parseFragment } from '../lobby/links';

const PAGES = [
  'start',
  'learn',
  'puzzles',
  'lobby',
  'matches',
  'ratings',
  'tournaments',
  'people',
  'account',
  'email',
  'moderation',
  'recovery',
] as const;

export type Route =
  | { page: (typeof PAGES)[number] }
  | { page: 'unknown' }
  | { page: 'lesson'; game: string; lesson: string }
  | { page: 'puzzle'; game: string; puzzle: string }
  | { page: 'rush'; game: string }
  | { page: 'rules'; game: string; summary?: boolean }
  | { page: 'analysis'; query: string }
  | { page: 'archive'; query: string }
  | { page: 'person'; name: string }
  | { page: 'live'; channel: string | null }
  | { page: 'tournament' | 'wall'; tournament: string }
  | ({ page: 'match'; match: string } & Partial<Fragment>);

/** A part of an address; as it is, if it is malformed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function here(): Route {
  const match = /^\/match\/([^/]+)\/?$/.exec(location.pathname)?.[1];
  if (match !== undefined) return { page: 'match', match, ...parseFragment(location.hash) };
  const [, kind, game, id] =
    /^\/(learn|puzzles)\/([a-z0-9-]+)\/([a-z0-9-]+)\/?$/.exec(location.pathname) ?? [];
  if (kind === 'puzzles' && game !== undefined && id === 'rush') return { page: 'rush', game };
  if (game !== undefined && id !== undefined)
    return kind === 'learn' ? { page: 'lesson', game, lesson: id } : { page: 'puzzle', game, puzzle: id };
  const [, book, summary] = /^\/rules\/([a-z0-9-]+)(\/summary)?\/?$/.exec(location.pathname) ?? [];
  if (book !== undefined) return { page: 'rules', game: book, summary: summary !== undefined };
  if (/^\/analysis\/?$/.test(location.pathname))
    return { page: 'analysis', query: location.search || location.hash };
  if (/^\/archive\/?$/.test(location.pathname)) return { page: 'archive', query: location.search };
  const live = /^\/live(?:\/([a-z0-9-]+))?\/?$/.exec(location.pathname);
  if (live) return { page: 'live', channel: live[1] ?? null };
  const [, tournament, wall] = /^\/tournaments\/([\w-]+)(\/wall)?\/?$/.exec(location.pathname) ?? [];
  if (tournament !== undefined) return { page: wall === undefined ? 'tournament' : 'wall', tournament };
  const person = /^\/@\/(.+)$/.exec(location.pathname)?.[1];
  if (person !== undefined) return { page: 'person', name: decoded(person) };
  const name = location.pathname.replaceAll('/', '');
  if (name === '') return { page: 'start' };
  return { page: PAGES.find((page) => page === name) ?? 'unknown' };
}

export const route: { place: Route } = $state({ place: here() });

addEventListener('popstate', () => {
  route.place = here();
});

export function address(place: Route): string {
  if (place.page === 'match') {
    // Of the data in fragments, only an invitation by name is no secret.
    const named = place.take?.secret === '' ? `#take=${place.take.seat}.` : '';
    return `/match/${encodeURIComponent(place.match)}${named}`;
  }
  if (place.page === 'lesson') return `/learn/${place.game}/${place.lesson}`;
  if (place.page === 'puzzle') return `/puzzles/${place.game}/${place.puzzle}`;
  if (place.page === 'rush') return `/puzzles/${place.game}/rush`;
  if (place.page === 'rules') return `/rules/${place.game}${place.summary ? '/summary' : ''}`;
  if (place.page === 'analysis' || place.page === 'archive') return `/${place.page}${place.query}`;
  if (place.page === 'person') return `/@/${encodeURIComponent(place.name)}`;
  if (place.page === 'live') return place.channel === null ? '/live' : `/live/${place.channel}`;
  if (place.page === 'tournament') return `/tournaments/${place.tournament}`;
  if (place.page === 'wall') return `/tournaments/${place.tournament}/wall`;
  return place.page === 'start' ? '/' : `/${place.page}`;
}

export function go(place: Route): void {
  history.pushState(null, '', address(place));
  route.place = place;
  scrollTo(0, 0);
}

/** Names the content of the page in its address, without a step of the history. */
export const replaceAddress = (place: Route): void => history.replaceState(null, '', address(place));

/** Names the analysis on screen in the address, without a step of the history. */
export function nameAnalysis(id: string, review = false): void {
  const place = { page: 'analysis', query: `?id=${id}${review ? '&review=1' : ''}` } as const;
  history.replaceState(null, '', address(place));
  route.place = place;
}

/** Removes the secrets of the fragment from address and history. */
export function tidy(match: string): void {
  const place = { page: 'match', match } as const;
  history.replaceState(null, '', address(place));
  route.place = place;
}

/** Click handler of links: plain clicks stay in the app, others are the browser's. */
export function follow(place: Route) {
  return (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(place);
  };
}
