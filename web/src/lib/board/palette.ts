/** The colours of a board: as its theme draws it, or flat in high contrast, to print as well. */
import { getContext, setContext } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { Theme } from '../api/types';

/** Gives its element the colours of pieces; null: they are those of the board. */
type PieceColours = () => Attachment<ElementCSSInlineStyle & Element> | null;

const KEY = 'pieces';

export const setPieceColours = (colours: PieceColours): PieceColours => setContext(KEY, colours);
export const pieceColours = (): PieceColours => getContext<PieceColours | undefined>(KEY) ?? (() => null);

type Colours = Theme['colours'];
type Colour = Colours[string];

const INK: Colour = { light: '#000000', dark: '#ffffff' };
const GROUND: Colour = { light: '#ffffff', dark: '#000000' };
const PAPER: Colour = { light: '#ffffff', dark: '#ffffff' };
const BLACK: Colour = { light: '#000000', dark: '#000000' };
const NONE: Colour = { light: 'transparent', dark: 'transparent' };

/** The colours that a theme names. Paper is white at night too, for a print that is always dark. */
const FLAT: Record<string, Colour> = { ground: GROUND, ink: INK, paper: PAPER };

/** Endings of the tones of a colour, `red-lit`, that are one with it on a flat board. */
const TONES = ['lit', 'shade', 'glint', 'grain', 'rim', 'side'];
/** Endings of the colours of edges. */
const EDGES = ['edge', 'dark', 'line'];

/** Whether white would not be seen beside a colour, `#rrggbb`. */
const isLight = (colour: string) => /^#[9a-f].[9a-f]/i.test(colour);

/** The colours of a flat board. The theme says which colours are its grounds and which stay as they are. */
export function flatColours({ colours, flat = {} }: Theme): Colours {
  const flatten = (name: string, colour: Colour): Colour => {
    const flatColour = flat[name];
    if (flatColour !== undefined) return FLAT[flatColour] ?? colour;
    if (name === 'shadow') return NONE;
    // A number stays legible on every piece.
    if (name === 'number-edge') return colour;
    const [, base = '', ending = ''] = /^(.*)-(\w+)$/.exec(name) ?? [];
    const of = colours[base];
    if (of && TONES.includes(ending)) return flatten(base, of);
    if (of && EDGES.includes(ending)) return isLight(flatten(base, of).dark) ? BLACK : INK;
    return colour;
  };
  return Object.fromEntries(Object.entries(colours).map(([name, colour]) => [name, flatten(name, colour)]));
}
