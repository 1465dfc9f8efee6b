/** Simulates the repairs that evidence says to close a finding alone. */
import { edgeKindsOf, findingTypesOf } from '@clew/analysis';
import { findEdge, NO_EDGE } from '@clew/graph';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { changeOf, withoutRepeated } from '../repairs/repairs.ts';
import { changedWorld, findingsOf, tierZeroOf } from '../simulation/simulate.ts';
import { evidenceOf } from './evidence.ts';

/** Simulated repairs of one directory. */
const MAX_SIMULATED = 6;

it('each repair that closes a finding alone removes it, and closing repairs come first', () => {
  let [closed, partial] = [0, 0];
  fc.assert(
    fc.property(randomDirectories, (directory) => {
      const world = randomWorld(directory);
      const { context } = world;
      const tierZero = tierZeroOf(world.zones);
      const findings = findingsOf(world);
      let simulated = 0;
      for (const [key, { type, source, target }] of findings) {
        const found = findingTypesOf(context.graph)[type]!;
        const edgeKind =
          source === undefined || found.kind !== 'relationship'
            ? undefined
            : edgeKindsOf(found).find((kind) => findEdge(context.graph, source, kind, target) !== NO_EDGE);
        const { repairs, closing } = evidenceOf(
          context,
          {
            ...{ type, target },
            ...(source !== undefined && { source }),
            ...(edgeKind !== undefined && { edgeKind }),
          },
          tierZero,
        );
        const places = repairs.map((repair) => closing.has(repair));
        expect(places).toEqual([...places].sort((one, other) => Number(other) - Number(one)));
        partial += places.filter((closes) => !closes).length;
        for (const repair of repairs.filter((one) => closing.has(one))) {
          if (simulated++ >= MAX_SIMULATED) break;
          const after = changedWorld(world, withoutRepeated(changeOf([repair])));
          expect(findingsOf(after).has(key), `${found.id}: ${repair.id}`).toBe(false);
          closed++;
        }
      }
    }),
    { numRuns: 40 },
  );
  expect(closed).toBeGreaterThan(50);
  expect(partial).toBeGreaterThan(10);
});
