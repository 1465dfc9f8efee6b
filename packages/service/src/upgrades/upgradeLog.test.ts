import { expect, it } from 'vitest';
import { upgradeSentences } from './upgradeLog.ts';

const SCOPE = { steps: 12, bytes: 0, databaseBytes: 41_000_000, analysis: undefined };
const analysis = { recipe: null, milliseconds: 24_000 };

it('the log says what an upgrade takes, that it continues after an interruption, and that going back needs a backup', () => {
  const [first] = upgradeSentences(SCOPE, false);
  expect(first).toBe(
    'upgrading the database (41 MB) by 12 steps: a few seconds. An interrupted upgrade continues at the next start. An older version cannot use the database afterward: to return to it, restore a backup',
  );
});

it.each([
  [1, 0, 'by 1 step: a few seconds'],
  [10, 400_000_000, 'by 10 steps: less than a minute'],
  [10, 1_500_000_000, 'by 10 steps: about 2 minutes'],
  [10, 30_000_000_000, 'by 10 steps: about 30 minutes'],
  [10, 100_000_000_000, 'by 10 steps: about 2 hours'],
])('%d steps over %d bytes: %s', (steps, bytes, expected) => {
  expect(upgradeSentences({ ...SCOPE, steps, bytes }, false)[0]).toContain(expected);
});

it.each([
  [undefined, false, 'nothing was analyzed yet, so no analysis follows'],
  [analysis, false, 'nothing is analyzed again, because the rules are the same'],
  [
    analysis,
    true,
    'everything is analyzed again after the upgrade, because the rules differ: less than a minute, by the duration of the last analysis. Until then, answers show the last analysis',
  ],
])('the log says whether everything is analyzed again (%#)', (newest, isAnalyzedAgain, expected) => {
  expect(upgradeSentences({ ...SCOPE, analysis: newest }, isAnalyzedAgain)[1]).toBe(expected);
});
