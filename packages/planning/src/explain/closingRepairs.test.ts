/** Simulates the repairs of evidence, which says of each whether it closes its finding alone. */
import { edgeKindsOf, findingTypesOf, membership } from '@clew/analysis';
import { archiveFromFile, type CollectionSource, sourceFromBytes } from '@clew/collections';
import { SAMPLE_FILE } from '@clew/collections/testing';
import { findEdge, NO_EDGE, nameOf } from '@clew/graph';
import { fileText, generateForest } from '@clew/synthetic';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { analyzedWorld, COLLECTED_AT } from '../../test/analyzedWorld.ts';
import { collectedWorld } from '../../test/collectedWorld.ts';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { leavesTierZero } from '../packages/leavers.ts';
import { Prices } from '../packages/prices/prices.ts';
import { changeOf, type Repair, withoutRepeated } from '../repairs/repair.ts';
import { DEFAULT_COSTS } from '../repairs/repairKinds.ts';
import { affectedBy } from '../simulation/affected.ts';
import type { FindingKey } from '../simulation/findingKeys.ts';
import { type AnalyzedWorld, changedWorld, findingsOf, tierZeroOf } from '../simulation/simulate.ts';
import { type Evidence, evidenceOf } from './evidence.ts';

/** Multiplies the number of random cases; nightly runs have more. */
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

/** Simulated repairs of one directory. */
const MAX_SIMULATED = 6;
/** Simulated repairs of each type and kind of finding in the sample collection: of those that close it, and of the others. */
const MAX_OF_TYPE = 1;
/** The same for the few findings of deleted accounts, which hold fewer rights than their groups suggest. */
const MAX_OF_DELETED = 10;

function evidenceFor(
  world: AnalyzedWorld,
  { type, source, target }: FindingKey,
  costOf?: (repair: Repair) => number,
): Evidence {
  const { context } = world;
  const found = findingTypesOf(context.graph)[type]!;
  const edgeKind =
    source === undefined || found.kind !== 'relationship'
      ? undefined
      : edgeKindsOf(found).find((kind) => findEdge(context.graph, source, kind, target) !== NO_EDGE);
  const question = {
    ...{ type, target },
    ...(source !== undefined && { source }),
    ...(edgeKind !== undefined && { edgeKind }),
  };
  return evidenceOf(context, question, tierZeroOf(world.zones), {
    ...(costOf !== undefined && { costOf }),
    leaves: (node, removed) => leavesTierZero(world, node, removed),
  });
}

/** Findings that can end before the last of their relations is removed: all of these should be removed, but not all cause the finding. */
const ENDS_EARLIER: ReadonlySet<string> = new Set(['AzureSubscriptionManyOwners']);

/**
 * Simulates a repair. @returns whether the simulation confirms that it closes the finding alone, or that it does not: then a group
 * that contains the source may have the finding instead
 */
function isConfirmed(
  world: AnalyzedWorld,
  key: string,
  finding: FindingKey,
  repair: Repair,
  closes: boolean,
) {
  const after = changedWorld(world, withoutRepeated(changeOf([repair])));
  const left = findingsOf(after);
  if (closes || left.has(key)) return left.has(key) !== closes;
  const { type, source, target } = finding;
  if (ENDS_EARLIER.has(findingTypesOf(after.context.graph)[type]!.id)) return true;
  const members = after.context.use(membership);
  return [...left.values()].some(
    (one) =>
      one.type === type &&
      one.target === target &&
      one.source !== undefined &&
      source !== undefined &&
      members.membersOf(one.source).has(source),
  );
}

it('each repair that closes a finding alone removes it, and closing repairs come first', () => {
  let [closed, partial] = [0, 0];
  fc.assert(
    fc.property(randomDirectories, (directory) => {
      const world = randomWorld(directory);
      let simulated = 0;
      for (const [key, finding] of findingsOf(world)) {
        const { repairs, closing } = evidenceFor(world, finding);
        const places = repairs.map((repair) => closing.has(repair));
        expect(places).toEqual([...places].sort((one, other) => Number(other) - Number(one)));
        partial += places.filter((closes) => !closes).length;
        for (const repair of closing) {
          if (simulated++ >= MAX_SIMULATED) break;
          expect(isConfirmed(world, key, finding, repair, true), repair.id).toBe(true);
          closed++;
        }
      }
    }),
    { numRuns: 30 * RUNS },
  );
  expect(closed).toBeGreaterThan(50);
  expect(partial).toBeGreaterThan(10);
});

const SAMPLE = 'the sample collection';

async function worldOfCollection(name: string): Promise<AnalyzedWorld> {
  if (name !== SAMPLE) {
    const { files } = generateForest({ users: 60, seed: 3, collectedAt: COLLECTED_AT });
    const sources = files.map((file, at) =>
      sourceFromBytes(`${at}.json`, Buffer.from([...fileText(file)].join(''))),
    );
    return analyzedWorld(await collectedWorld(sources));
  }
  await using archive = await archiveFromFile(SAMPLE_FILE);
  const sources = archive.members.flatMap(({ source }): CollectionSource[] => (source ? [source] : []));
  return analyzedWorld(await collectedWorld(sources));
}

it.each([SAMPLE, 'a generated forest'])(
  'a repair of each type of finding in %s removes it, or not, as its evidence says, the cheapest first',
  async (name) => {
    const world = await worldOfCollection(name);
    const { graph } = world.context;
    const types = findingTypesOf(graph);
    const simulated = new Map<string, number>();
    const wrong: string[] = [];
    const prices = new Prices(world.context, { costs: DEFAULT_COSTS, zone: tierZeroOf(world.zones) });
    const costOf = (repair: Repair): number => {
      const { work, breaks } = prices.of(repair);
      return work + breaks;
    };
    for (const [key, finding] of findingsOf(world)) {
      const { repairs, closing } = evidenceFor(world, finding, costOf);
      const ranks = repairs.map((repair) => {
        const affected = affectedBy(world.context, repair)?.count ?? Number.MAX_SAFE_INTEGER;
        return [Number(!closing.has(repair)), costOf(repair), affected];
      });
      expect(ranks).toEqual([...ranks].sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!));
      for (const repair of repairs) {
        const closes = closing.has(repair);
        const isDeleted = finding.source !== undefined && nameOf(graph, finding.source) === '';
        const kind = `${types[finding.type]!.id} ${closes} ${repair.kind}${isDeleted ? ' of a deleted account' : ''}`;
        const count = simulated.get(kind) ?? 0;
        if (count >= (isDeleted ? MAX_OF_DELETED : MAX_OF_TYPE)) continue;
        simulated.set(kind, count + 1);
        if (!isConfirmed(world, key, finding, repair, closes)) wrong.push(`${kind} ${repair.id}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(simulated.size).toBeGreaterThan(30);
  },
);
