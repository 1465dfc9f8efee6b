/**
 * The share of an organization of shape 3 that reaches Tier Zero varies between seeds, so a proof on several seeds is meaningful.
 */

import { generateForest } from '@clew/synthetic';
import { expect, it } from 'vitest';
import { analyzedWorld, COLLECTED_AT } from '../../test/analyzedWorld.ts';
import { collectedWorld, sourcesOf } from '../../test/collectedWorld.ts';
import { type AnalyzedWorld, exposuresOf } from './simulate.ts';

const exposedShare = (world: AnalyzedWorld): number => {
  const exposures = exposuresOf(world);
  const sum = (key: 'exposed' | 'principals') => exposures.reduce((total, each) => total + each[key], 0);
  return sum('exposed') / sum('principals');
};

it('is anywhere between hardly any and all, by the seed', async () => {
  const shares: number[] = [];
  for (let seed = 1; seed <= 16; seed++) {
    const options = {
      users: 150,
      seed,
      shape: 3,
      domains: 1 + (seed % 4),
      collectedAt: COLLECTED_AT,
    } as const;
    shares.push(exposedShare(analyzedWorld(await collectedWorld(sourcesOf(generateForest(options).files)))));
  }
  shares.sort((one, other) => one - other);
  expect(shares[0]).toBeLessThan(0.15);
  expect(shares.at(-1)).toBeGreaterThan(0.95);
  const between = shares.filter((share) => share > 0.15 && share < 0.9);
  expect(between.length).toBeGreaterThanOrEqual(6);
  // All middle values differ.
  expect(new Set(between.map((share) => share.toFixed(2))).size).toBeGreaterThan(between.length / 2);
});
