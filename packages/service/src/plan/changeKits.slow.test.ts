/**
 * Kits of generated organizations: every change of each card has a script or steps, its facts are whole, and the relationships and values
 * that it declares are those of the simulation.
 */
import { attackSteps } from '@clew/analysis';
import { sourceFromBytes } from '@clew/collections';
import type { Generation } from '@clew/generation';
import { objectIdOf } from '@clew/graph';
import { effortTable } from '@clew/model';
import { kitFacts, tierZeroOf } from '@clew/planning';
import { changeKitRecord, type PlanState, pathRepairs, repairsOf } from '@clew/plans/testing';
import type { Db } from '@clew/store';
import { fileText, generateForest } from '@clew/synthetic';
import { expect, it } from 'vitest';
import { analyzedWorld, COLLECTED_AT } from '../testing/analyzedWorld.ts';
import { collectedWorld } from '../testing/collectedWorld.ts';

async function stateOf(seed: number): Promise<PlanState> {
  const { files } = generateForest({ users: 120, seed, collectedAt: COLLECTED_AT });
  const collected = await collectedWorld(
    files.map((file, at) => sourceFromBytes(`${at}.json`, Buffer.from([...fileText(file)].join('')))),
  );
  const world = analyzedWorld(collected);
  const generation = {
    ...{
      id: 1,
      publishedAt: '2026-06-01T00:00:00.000000Z',
      graph: collected.graph,
      zones: [],
      environments: [],
    },
    customNodeKinds: new Map(),
    customEdgeKinds: new Map(),
  } as unknown as Generation;
  const none = { db: undefined as unknown as Db, database: undefined as unknown as PlanState['database'] };
  return {
    generation,
    world,
    costs: {},
    efforts: effortTable({}),
    ...none,
    before: () => ({ exposures: [], findings: new Map() }),
  };
}

type Reference = Parameters<typeof changeKitRecord>[1]['repairs'][number];

/** Repairs of relationships of each kind. */
function someRepairs(state: PlanState): Reference[] {
  const { graph } = state.generation;
  const { allows } = attackSteps(graph);
  const { offsets, neighbors, kinds } = state.world.context.attackGraph.out;
  const counts = new Map<number, number>();
  const found = new Map<string, Reference>();
  for (let start = 0; start < graph.nodeCount; start++)
    for (let at = offsets[start]!; at < offsets[start + 1]!; at++) {
      const count = counts.get(kinds[at]!) ?? 0;
      if (count >= 2 || allows[kinds[at]!] !== 1) continue;
      counts.set(kinds[at]!, count + 1);
      const step = { source_id: objectIdOf(graph, start), target_id: objectIdOf(graph, neighbors[at]!) };
      const { steps } = pathRepairs(state, { steps: [step], constraints: [], seen: null });
      for (const { repair } of steps[0]!.repairs) found.set(JSON.stringify(repair), repair);
    }
  return [...found.values()];
}

it.each([3, 7])(
  'declare what the simulation removes: seed %i',
  async (seed) => {
    const state = await stateOf(seed);
    const references = someRepairs(state);
    const kinds = new Set(references.map(({ kind }) => kind));
    expect(kinds.size).toBeGreaterThan(8);
    const { context, zones } = state.world;
    const { graph } = context;
    let scripts = 0;
    for (const reference of references) {
      const [repair] = repairsOf(state.generation, state.world, [reference]);
      const kit = changeKitRecord(state, { repairs: [reference], seen: null })!;
      const [declared] = JSON.parse(kit.files.find(({ name }) => name === 'changes.json')!.text);
      const idsOf = (all: readonly { start: number; end: number }[]) =>
        all.map(({ start, end }) => [objectIdOf(graph, start), objectIdOf(graph, end)]);
      expect(
        declared.removed.map(({ source, target }: Record<string, { object_id: string }>) => [
          ...[source!.object_id, target!.object_id],
        ]),
      ).toEqual(idsOf(repair!.change.removed));
      expect(declared.values).toHaveLength(repair!.change.properties.length);
      const facts = kitFacts({ context, tierZero: tierZeroOf(zones) }, repair!);
      for (const fact of Object.values(facts.facts))
        expect('value' in fact || fact.missing.length > 20).toBe(true);
      const [change] = kit.changes;
      if (change!.script === null) expect(change!.why).toMatch(/^[A-Z].{15,}\.$/);
      else {
        expect(change!.script).toMatch(/^[\n -~]*$/);
        scripts++;
      }
    }
    expect(scripts / references.length).toBeGreaterThan(0.6);
    expect(changeKitRecord(state, { repairs: references.slice(0, 100), seen: null })).toEqual(
      changeKitRecord(state, { repairs: references.slice(0, 100), seen: null }),
    );
  },
  300_000,
);
