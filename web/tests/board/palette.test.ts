import { expect, test } from 'vitest';
import { flatColours } from '../../src/lib/board/palette';
import type { Theme } from '../../src/lib/api/types';

const grey = { light: '#777777', dark: '#888888' };
const pale = { light: '#f0e0d0', dark: '#e0d0c0' };
const red = { light: '#bb0000', dark: '#ff5555' };

test('a flat board has one tone for each colour, edges of ink and grounds of paper', () => {
  const colours = {
    tile: grey,
    panel: grey,
    'panel-line': grey,
    'tile-lit': grey,
    red,
    'red-lit': grey,
    'red-line': grey,
    'hand-n': grey,
    shadow: grey,
    chip: pale,
    'chip-edge': grey,
    'number-edge': grey,
    number: grey,
  };
  const theme = { colours, flat: { tile: 'ground', panel: 'paper' } } as unknown as Theme;
  const ground = { light: '#ffffff', dark: '#000000' };
  expect(flatColours(theme)).toEqual({
    tile: ground,
    // Always dark print stands on paper.
    panel: { light: '#ffffff', dark: '#ffffff' },
    'panel-line': { light: '#000000', dark: '#000000' },
    'tile-lit': ground,
    red,
    'red-lit': red,
    'red-line': { light: '#000000', dark: '#ffffff' },
    'hand-n': grey,
    shadow: { light: 'transparent', dark: 'transparent' },
    chip: pale,
    // White would not be seen beside a light colour.
    'chip-edge': { light: '#000000', dark: '#000000' },
    'number-edge': grey,
    number: grey,
  });
});
