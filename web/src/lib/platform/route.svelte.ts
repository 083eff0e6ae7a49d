/** Where in the site we are: `/`, a page with a name, or `/match/ID` with what its fragment brings. */
import { type Fragment, read } from '../lobby/links';

const PAGES = ['start', 'lobby', 'matches', 'ratings', 'account'] as const;

export type Place = { page: (typeof PAGES)[number] } | ({ page: 'match'; match: string } & Partial<Fragment>);

function here(): Place {
  const match = /^\/match\/([^/]+)\/?$/.exec(location.pathname)?.[1];
  if (match !== undefined) return { page: 'match', match, ...read(location.hash) };
  const name = location.pathname.replaceAll('/', '');
  return { page: PAGES.find((page) => page === name) ?? 'start' };
}

export const route: { place: Place } = $state({ place: here() });

addEventListener('popstate', () => {
  route.place = here();
});

export function address(place: Place): string {
  if (place.page === 'match') return `/match/${encodeURIComponent(place.match)}`;
  return place.page === 'start' ? '/' : `/${place.page}`;
}

export function go(place: Place): void {
  history.pushState(null, '', address(place));
  route.place = place;
  scrollTo(0, 0);
}

/** The same place, without the secrets of its fragment: they are not to stay in sight, nor in the history. */
export function tidy(match: string): void {
  const place = { page: 'match', match } as const;
  history.replaceState(null, '', address(place));
  route.place = place;
}

/** For links: a plain click stays in the page, others are the browser's. */
export function follow(place: Place) {
  return (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(place);
  };
}
