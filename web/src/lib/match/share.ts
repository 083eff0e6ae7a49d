/** The files of a game that the server makes, and the code of its widget. */
import type { Language } from '../api/types';

type FileKind = 'svg' | 'png' | 'gif' | 'html';

interface SharedFile {
  kind: FileKind;
  href: string;
  /** The name of the downloaded file. */
  file: string;
}

/** The files of a game; pictures show the position after `ply` actions. */
export function filesOf(match: string, game: string, ply: number, language: Language): SharedFile[] {
  const path = `/api/matches/${encodeURIComponent(match)}`;
  const name = `${game}-${match}`;
  return [
    { kind: 'png', href: `${path}/picture.png?ply=${ply}&language=${language}`, file: `${name}-${ply}.png` },
    { kind: 'svg', href: `${path}/picture.svg?ply=${ply}&language=${language}`, file: `${name}-${ply}.svg` },
    { kind: 'gif', href: `${path}/replay.gif?language=${language}`, file: `${name}.gif` },
    { kind: 'html', href: `${path}/replay.html?language=${language}`, file: `${name}.html` },
  ];
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The code of the widget for other pages. */
export const embedCode = (origin: string, match: string, title: string): string =>
  `<iframe src="${origin}/embed/${encodeURIComponent(match)}" title="${escaped(title)}" width="600" height="640" ` +
  'style="max-width: 100%; border: 0" loading="lazy"></iframe>';
