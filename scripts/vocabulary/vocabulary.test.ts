import { expect, it } from 'vitest';
import { misusesIn } from './vocabulary.ts';

it('finds a planted word with its file, line and the better word', () => {
  expect(misusesIn('a.ts', 'const a = 1;\n/** The colour of a neighbour. */\n')).toEqual([
    { file: 'a.ts', line: 2, found: 'neighbour', better: 'neighbor' },
    { file: 'a.ts', line: 2, found: 'colour', better: 'color' },
  ]);
  expect(misusesIn('a.ts', 'JOBS_BEING_ANALYSED, isAnalysed').map(({ found }) => found)).toEqual([
    'ANALYSE',
    'Analyse',
  ]);
});

it('leaves American words, plurals, names of others and attributes of HTML', () => {
  const right =
    'analyses analyzed aria-labelledby realistic color emphasis fulfilled cancellation organization optimistic';
  expect(misusesIn('a.ts', right).map(({ found }) => found)).toEqual([]);
  expect(misusesIn('theHive.ts', "'x-organisation': settings.organisation")).toEqual([]);
});

it('finds words that are not plain, and no names that look like them', () => {
  const found = 'is made anew, whoever asks; for it is taken away as nobody wants MOST_ROWS and LEAST_ROWS';
  expect(misusesIn('a.ts', found).map((misuse) => misuse.better)).toEqual([
    ...['again', 'anyone who', 'no one', 'remove', 'MAX_...', 'MIN_...'],
  ]);
  expect(misusesIn('a.ts', "const nobody = login('nobody'); most_rows")).toEqual([]);
});
