import { type KitRun, relationDigest } from '@clew/kits';
import { describe, expect, it } from 'vitest';
import type { StartedPlan } from '../tasks/startedFacts.ts';
import { claimsOf } from './kitClaims.ts';

const digest = (at: number): string =>
  relationDigest(`S-1-5-21-1-2-3-${at}`, 'GenericAll', 'S-1-5-21-1-2-3-500');
/** The changes of a plan, with one relationship each. */
const planOf = (count: number): StartedPlan => {
  const changes = Array.from({ length: count }, (_, at) => ({
    ...{ title: '', properties: [] },
    removed: [{ start: `S-1-5-21-1-2-3-${at}`, kind: 'GenericAll', end: 'S-1-5-21-1-2-3-500', flags: 0 }],
  }));
  return { packages: [{ changes }] } as unknown as StartedPlan;
};
const run = (place: number, mode: KitRun['mode'], facts: readonly number[]): KitRun => ({
  ...{ change: 'change-01', mode, at: '2026-11-30T09:05:00Z', computer: `PC-${place}`, host: '' },
  ...{ before: false, after: true, changed: 'yes', pending: false, code: 0, saved: [] },
  facts: facts.map((at) => ({ fact: digest(at), old: null })),
});

describe('the claims of a file', () => {
  it('are those of the last run of each mode for each change', () => {
    const modes = ['Apply', 'Verify', 'Undo', 'Apply'] as const;
    const runs = Array.from({ length: 200 }, (_, at) => run(at, modes[at % 4] ?? 'Apply', [0, 1]));
    const found = claimsOf(runs, planOf(3)).map(
      ({ change, mode, computer }) => `${change} ${mode} ${computer}`,
    );
    expect(found).toEqual([
      ...['1 Verify PC-197', '2 Verify PC-197', '1 Undo PC-198', '2 Undo PC-198'],
      ...['1 Apply PC-199', '2 Apply PC-199'],
    ]);
  });

  it('are at most 200, the last ones', () => {
    const all = Array.from({ length: 100 }, (_, at) => at);
    const runs = [0, 1, 2].map((at) =>
      run(
        at,
        'Apply',
        all.map((one) => one + at * 100),
      ),
    );
    const found = claimsOf(runs, planOf(300));
    expect([found.length, found[0]?.change, found.at(-1)?.change]).toEqual([200, 101, 300]);
  });
});
