import { newRandom } from '@clew/graph/testing';
import { expect, it } from 'vitest';
import { missingKills, rounds } from './faultPlan.ts';

const NAMES = [
  ...['api killed', 'worker killed', 'PostgreSQL killed', 'clocks jump back', 'the thread of plans dies'],
  'connections cut',
];
const WELL = {
  names: NAMES,
  brought: {
    ...{ 'api killed': 2, 'worker killed': 1, 'PostgreSQL killed': 1 },
    ...{ 'clocks jump back': 1, 'the thread of plans dies': 1 },
  },
  starts: { api: 3, worker: 2 },
};

it('causes every fault about once in each round, in varying orders', () => {
  const next = rounds(NAMES, newRandom(7));
  const taken = Array.from({ length: 10 }, () => NAMES.map(() => next.next().value));
  for (const round of taken) expect(round.toSorted()).toEqual(NAMES.toSorted());
  expect(new Set(taken.map((round) => round.join())).size).toBeGreaterThan(3);
});

it('finds nothing missing if each kill occurred and each process restarted', () => {
  expect(missingKills(WELL)).toEqual([]);
});

it.each(NAMES.slice(0, 5))('does not accept a run as a proof without this fault: %s', (name) => {
  expect(missingKills({ ...WELL, brought: { ...WELL.brought, [name]: 0 } })).toEqual([
    `nothing is shown of this: ${name}`,
  ]);
});

it.each(['api', 'worker'])('reports a missing restart: %s', (process) => {
  const starts = { ...WELL.starts, [process]: 1 };
  expect(missingKills({ ...WELL, starts })).toEqual([`${process} was not started again after each kill`]);
});
