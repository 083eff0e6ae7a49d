/** Search in a rule book, and sections of it. */

/** A paragraph, list item, table row or caption that contains the words of a query. */
interface Passage {
  element: HTMLElement;
  /** The title of its section. */
  section: string;
  /** The text around the first word found. */
  excerpt: { before: string; found: string; after: string };
}

const BLOCKS = 'h1, h2, h3, p, li, tr, figcaption';
/** The number of characters before and after the first word found. */
const AROUND = 48;

const fold = (text: string): string => text.toLowerCase();

/** Returns the passages that contain every word of the query, in the order of the book. */
export function findPassages(book: HTMLElement, query: string): Passage[] {
  const words = fold(query.normalize('NFKC')).split(/\s+/).filter(Boolean);
  const first = words[0];
  if (first === undefined) return [];
  const passages: Passage[] = [];
  let section = '';
  for (const element of book.querySelectorAll<HTMLElement>(BLOCKS)) {
    // A list item with paragraphs or a list inside is found by them.
    if (element.matches('li') && element.querySelector('p, li')) continue;
    const cells = element.matches('tr') ? [...element.children] : [element];
    const text = cells.map((cell) => cell.textContent.trim()).join(' · ');
    if (/^H[1-3]$/.test(element.tagName)) section = text;
    const folded = fold(text.normalize('NFKC'));
    if (words.every((word) => folded.includes(word)))
      passages.push({ element, section, excerpt: excerpt(text, first) });
  }
  return passages;
}

function excerpt(text: string, word: string): Passage['excerpt'] {
  const at = Math.max(fold(text).indexOf(word), 0);
  const end = fold(text).includes(word) ? at + word.length : at;
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, end + AROUND);
  return {
    before: (from > 0 ? '…' : '') + text.slice(from, at),
    found: text.slice(at, end),
    after: text.slice(end, to) + (to < text.length ? '…' : ''),
  };
}

/** Returns the HTML of the section with this heading, without the heading, or `''` if the book has none. */
export function sectionHtml(book: string, id: string): string {
  const page = new DOMParser().parseFromString(book, 'text/html');
  const heading = page.getElementById(id);
  let html = '';
  for (let next = heading?.nextElementSibling; next; next = next.nextElementSibling) {
    if (/^H[1-6]$/.test(next.tagName) && next.tagName <= (heading?.tagName ?? '')) break;
    html += next.outerHTML;
  }
  return html;
}
