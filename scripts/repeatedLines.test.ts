import { expect, test } from 'vitest';
import { faultsOfRepeatedLines, repeatedLinesIn } from './repeatedLines.ts';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `  act(${from + at});\n`).join('');
const pairsIn = (...texts: string[]) =>
  repeatedLinesIn(new Map(texts.map((text, at) => [`${'abc'[at]}.ts`, text])));

test('two files with six equal lines are a pair, whatever their indentation, comments and brackets', () => {
  const other = lines(1, 6).replaceAll('  act', 'act').replace('act(4)', '// Four.\n}\n\nact(4)');
  expect(pairsIn(`begin();\n${lines(1, 6)}`, other)).toEqual([
    { places: ['a.ts:2-7', 'b.ts:1-9'], lines: 6 },
  ]);
  expect(pairsIn(lines(1, 5), lines(1, 5))).toEqual([]);
  expect(pairsIn(lines(1, 6), lines(1, 6).replace('act(3)', 'act(0)'))).toEqual([]);
});

test('each pair of files counts once, with its longest run', () => {
  const text = `${lines(1, 7)}only();\n${lines(11, 18)}`;
  expect(pairsIn(text, text.replace('only', 'other'), lines(1, 7))).toEqual([
    { places: ['a.ts:9-16', 'b.ts:9-16'], lines: 8 },
    { places: ['a.ts:1-7', 'c.ts:1-7'], lines: 7 },
    { places: ['b.ts:1-7', 'c.ts:1-7'], lines: 7 },
  ]);
});

test('a file can repeat itself, but equal rows of a table do not repeat each other', () => {
  expect(pairsIn(`${lines(1, 6)}${lines(1, 6)}`)).toEqual([{ places: ['a.ts:1-6', 'a.ts:7-12'], lines: 6 }]);
  expect(pairsIn('  row,\n'.repeat(8))).toEqual([]);
});

test('imports and lists of exported names do not count', () => {
  const names = Array.from({ length: 8 }, (_, at) => `  name${at},\n`).join('');
  const text = `import {\n${names}} from './names.ts';\nexport {\n${names}} from './names.ts';\n`;
  expect(pairsIn(text, text)).toEqual([]);
  expect(pairsIn(`${text}${lines(1, 6)}`, `${text}${lines(1, 6)}`)).toHaveLength(1);
});

test('fails if the number of pairs grows, and if the maximum can be lowered', () => {
  const pairs = pairsIn(lines(1, 6), lines(1, 6));
  expect(faultsOfRepeatedLines(pairs, 1)).toEqual([]);
  expect(faultsOfRepeatedLines(pairs, 2)).toEqual([
    '1 pairs of files share 6 equal lines: lower MAX_PAIRS in scripts/repeatedLines.ts from 2 to 1',
  ]);
  expect(faultsOfRepeatedLines(pairs, 0)).toEqual([
    'a.ts:1-6 and b.ts:1-6 share 6 lines',
    '1 pairs of files share 6 equal lines, at most 0 are allowed: move what a new pair shares to one place',
  ]);
});
