import { expect, test } from 'vitest';
import { editorAt, parseQuery } from '../../src/lib/analysis/links';
import { pack, unpack } from '../../src/lib/platform/compress';

const RECORD = `[Game "test"]\n1. a {良い手 – a good idea} (b c) ${'d '.repeat(2000)}`;

test('a link contains a whole record, and a damaged one contains none', async () => {
  const packed = await pack(RECORD);
  expect(packed).toMatch(/^[\w-]+$/);
  expect(packed.length).toBeLessThan(RECORD.length / 10);
  expect(parseQuery(`#record=${packed}`)).toEqual({ what: 'record', packed });
  expect(await unpack(packed)).toBe(RECORD);
  expect(await unpack(packed.slice(0, -4))).toBeNull();
  expect(await unpack('%%')).toBeNull();
  expect(await unpack(await pack('a'.repeat(5_000_000)))).toBeNull();
});

test('a link opens a position in the editor, or on the analysis board', () => {
  const place = {
    game: 'potlatch',
    options: { actions: '3' },
    position: '0,0:0;1,0:0 0,0;1,0 R 0 0,0 0 0 -',
  };
  const { query } = editorAt(place);
  expect(parseQuery(query)).toEqual({ what: 'edit', ...place });
  expect(parseQuery(query.replace('&edit=1', ''))).toEqual({ what: 'position', ...place });
});
