/** A finding about one object has no reason "no change is known" if its evidence shows repairs, and has it otherwise. */
import { FINDING_TYPES, findingTypesOf } from '@clew/analysis';
import { nameOf } from '@clew/graph';
import { expect, it } from 'vitest';
import { handForest } from '../../test/handForest.ts';
import { findingsOf, tierZeroOf } from '../simulation/simulate.ts';
import { evidenceOf } from './evidence.ts';
import { withoutRepair } from './withoutRepair.ts';

it('says of the findings without repairs in their evidence that no change is known, and of no others', async () => {
  const world = await handForest();
  const { context, zones } = world;
  const listed = [...findingsOf(world).values()].filter(({ source }) => source === undefined);
  const reasons = withoutRepair(world, listed);
  let [known, none] = [0, 0];
  for (const finding of listed) {
    const { type, target } = finding;
    const { repairs } = evidenceOf(context, { type, target }, tierZeroOf(zones));
    const id = FINDING_TYPES[type]?.id;
    expect([id, reasons.has(finding)]).toEqual([id, repairs.length === 0]);
    if (repairs.length === 0) none++;
    else known++;
  }
  expect(Math.min(known, none)).toBeGreaterThan(5);
  const types = findingTypesOf(context.graph);
  const ofSynchronization = listed
    .filter(({ target }) => /^(MSOL_|AADC01)/.test(nameOf(context.graph, target)))
    .filter(({ type }) => types[type]?.id === 'ProbablyTierZero');
  expect(ofSynchronization.map((finding) => reasons.get(finding))).toEqual(['add', 'add']);
});
