import { expect, it } from 'vitest';
import { shownTexts } from './shownTexts.ts';

const ID = '6C12B0B0-B2CC-4A73-8252-0B94BFCA2145';

it.each<[string, string, readonly string[]]>([
  [
    'values and keys of JSON',
    '{"data":{"S-1-5-21-1-2-3":["abc",1,null]}}',
    ['data', 'S-1-5-21-1-2-3', 'abc'],
  ],
  [
    'ids and names within a sentence',
    JSON.stringify(`ADA@NORTH.EXAMPLE controls S-1-5-21-1-2-3-512, ${ID} and NORTH.EXAMPLE-S-1-5-32-544.`),
    ['ADA@NORTH.EXAMPLE', 'S-1-5-21-1-2-3-512', ID, 'NORTH.EXAMPLE-S-1-5-32-544'],
  ],
  ['cells of other formats', 'Name,Id\nADA,"S-1-5-21-1-2-3-7"', ['Name', 'ADA', 'S-1-5-21-1-2-3-7']],
  [
    'the beginning of JSON that was cut',
    '{"data":[{"id":"S-1-5-21-1-2-3-7"},{"id":"S-1',
    ['S-1-5-21-1-2-3-7'],
  ],
])('reads %s', (_, text, expected) => {
  const found = [...shownTexts(text)];
  for (const one of expected) expect(found).toContain(one);
});

it('leaves out ids of the SID history of an object, but no name there and no id elsewhere', () => {
  const ids = ['S-1-5-21-9-9-9-520', 'ADA@NORTH.EXAMPLE'];
  expect([...shownTexts(JSON.stringify({ props: { sidhistory: ids } }))]).toEqual([
    ...['props', 'sidhistory', 'ADA@NORTH.EXAMPLE'],
  ]);
  expect([...shownTexts(JSON.stringify({ members: ids }))]).toContain('S-1-5-21-9-9-9-520');
});

it('does not search a long hostile text for long', () => {
  const started = performance.now();
  for (const part of ['A', '-', 'S-1-', '1-', 'a@', '@', '0'])
    expect([...shownTexts(JSON.stringify(part.repeat(1_000_000 / part.length)))].length).toBeLessThan(
      500_000,
    );
  expect(performance.now() - started).toBeLessThan(20_000);
});
