/** Where in the site we are: `/`, or `/match/ID`. */

export type Place = { page: 'start' } | { page: 'match'; match: string };

function here(): Place {
  const match = /^\/match\/([^/]+)\/?$/.exec(location.pathname)?.[1];
  return match === undefined ? { page: 'start' } : { page: 'match', match: decodeURIComponent(match) };
}

export const route: { place: Place } = $state({ place: here() });

addEventListener('popstate', () => {
  route.place = here();
});

export const address = (place: Place) =>
  place.page === 'start' ? '/' : `/match/${encodeURIComponent(place.match)}`;

export function go(place: Place): void {
  history.pushState(null, '', address(place));
  route.place = place;
  scrollTo(0, 0);
}

/** For links: a plain click stays in the page, others are the browser's. */
export function follow(place: Place) {
  return (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(place);
  };
}
