/** The order of derivations, and circles among them. */
import { expect, test } from 'vitest';
import { derivationLevels } from './derivationOrder.ts';

const steps = [
  { name: 'A_Step', family: 'A' },
  { name: 'B_Step', family: 'B' },
];
const levels = (...derivations: readonly (readonly [string, ...string[]])[]) => {
  const found = derivationLevels(
    derivations.map(([kind, ...types]) => ({ kind, types })),
    steps,
  );
  return 'circle' in found ? found : found.levels.map((level) => level.map(({ kind }) => kind));
};

test('each derivation comes after those that it reads, also by the name of a family', () => {
  expect(levels()).toEqual([]);
  expect(levels(['C', 'D'], ['D', 'MemberOf'], ['E', 'C', 'D'], ['F'])).toEqual([['D', 'F'], ['C'], ['E']]);
  expect(levels(['C', 'B_ATTACK_PATHS'], ['B_Step', 'MemberOf'], ['A_Step', 'AD_ATTACK_PATHS'])).toEqual([
    ['B_Step', 'A_Step'],
    ['C'],
  ]);
});

test('a cycle is reported, without kinds that only lead into it', () => {
  expect(levels(['X', 'C'], ['C', 'D'], ['D', 'E'], ['E', 'C'], ['F'])).toEqual({ circle: ['C', 'D', 'E'] });
  expect(levels(['C', 'C'])).toEqual({ circle: ['C'] });
  expect(levels(['A_Step', 'ALL_ATTACK_PATHS'])).toEqual({ circle: ['A_Step'] });
});
