import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { misusesBelow, misusesIn } from './vocabulary.ts';

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

it('asks for plain sentences in code, and for plain words everywhere', () => {
  const root = mkdtempSync(join(tmpdir(), 'clew-vocabulary-'));
  try {
    for (const file of ['examples/a.md', 'packages/graph/src/a.ts']) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), '/** Of each node. */\n// It is made anew.\nA plan in\nprogress.\n');
    }
    expect(misusesBelow(root).toSorted((a, b) => a.file.localeCompare(b.file))).toEqual([
      { file: 'examples/a.md', line: 2, found: 'anew', better: 'again' },
      {
        file: 'examples/a.md',
        line: 3,
        found: 'plan in progress',
        better: 'started plan" or "started plans',
      },
      { file: 'packages/graph/src/a.ts', line: 2, found: 'anew', better: 'again' },
      { file: 'packages/graph/src/a.ts', line: 1, found: 'Of', better: 'a sentence with a subject' },
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('asks for standard terms in the comments of rewritten packages', () => {
  const root = mkdtempSync(join(tmpdir(), 'clew-vocabulary-'));
  try {
    for (const file of [
      'packages/graph/src/a.ts',
      'packages/graph/src/a.test.ts',
      'packages/web/test/a.ts',
    ]) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), '/** Changes in place of others. */\n');
    }
    expect(misusesBelow(root)).toEqual([
      {
        file: 'packages/graph/src/a.ts',
        line: 1,
        found: 'in place of',
        better: 'instead of',
      },
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

it.each([
  ['/** The tag of a step. */', 'tag of a step', 'label'],
  ['/** Packages next to the proposed packages. */', 'proposed packages', 'named packages'],
  ['const adoptedPlans = 1;', 'adoptedPlans', 'started plan'],
])('asks for the one word of the plan in %s', (line, found, better) => {
  const root = mkdtempSync(join(tmpdir(), 'clew-vocabulary-'));
  try {
    for (const file of ['packages/planning/src/a.ts', 'packages/web/src/a.ts']) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), `${line}\n`);
    }
    expect(misusesBelow(root)).toEqual([{ file: 'packages/planning/src/a.ts', line: 1, found, better }]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('leaves names of the API and of the store, whatever the plan calls them', () => {
  const given = "row.adoption, adopted_at, AdoptPlan, AdoptionRecord, 'plans/adopt'";
  expect(misusesIn('packages/plans/src/a.ts', given).map(({ found }) => found)).toEqual([]);
});
