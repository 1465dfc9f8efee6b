import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_NODE } from '../columns/attackGraph.ts';
import { contractSteps, type SetMap, TAKEN_AWAY } from './contractSteps.ts';
import { joinKernels, TARGETS } from './cutNetwork.ts';
import type { LabeledSteps } from './labeledSteps.ts';
import { LabeledStepsBuilder } from './labeledStepsBuilder.ts';
import type { LabelSet } from './labelSet.ts';

const NODES = 14;
const LABELS = 5;
const node = fc.nat(NODES - 1);
const labels = fc.uniqueArray(fc.nat(LABELS - 1), { maxLength: 3 }).map((all) => all.sort((a, b) => a - b));

const worlds = fc.record({
  steps: fc.array(fc.record({ start: node, end: node, labels }), { maxLength: 45, size: 'max' }),
  realms: fc.array(
    fc.record({
      targets: fc.uniqueArray(node, { minLength: 1, maxLength: 2 }),
      weights: fc.array(fc.nat(3), { minLength: NODES, maxLength: NODES }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  /** Labels that no one can choose, and labels that are chosen already. */
  permanent: fc.uniqueArray(fc.nat(LABELS - 1), { maxLength: 1 }),
  taken: fc.uniqueArray(fc.nat(LABELS - 1), { maxLength: 1 }),
});

function stepsOf(all: readonly { start: number; end: number; labels: readonly number[] }[]): LabeledSteps {
  const builder = new LabeledStepsBuilder(NODES);
  for (const { start, end, labels: own } of all) builder.add(start, end, own);
  return builder.build(LABELS, undefined);
}

/** Sets without the permanent labels; sets with a taken label are removed. */
function mapOf(steps: LabeledSteps, permanent: readonly number[], taken: readonly number[]): SetMap {
  const sets: LabelSet[] = [[]];
  const places = steps.sets.map((set) => {
    if (set.some((label) => taken.includes(label))) return TAKEN_AWAY;
    const own = set.filter((label) => !permanent.includes(label));
    if (own.length === 0) return 0;
    const known = sets.findIndex((other) => other.join() === own.join());
    return known < 0 ? sets.push(own) - 1 : known;
  });
  return { places: Uint32Array.from(places), sets };
}

const allChoices = Array.from({ length: 2 ** LABELS }, (_, bits) =>
  Array.from({ length: LABELS }, (__, label) => label).filter((label) => (bits >> label) & 1),
);

describe('the kernel of labeled steps', () => {
  it('preserves the weight for every choice of labels', () => {
    fc.assert(
      fc.property(worlds, ({ steps: all, realms, permanent, taken }) => {
        const steps = stepsOf(all);
        const map = mapOf(steps, permanent, taken);
        const weighed = realms.map(({ targets, weights }) => ({
          targets,
          weights: Uint32Array.from(weights),
        }));
        const kernels = weighed.map((realm) => contractSteps(steps, map, realm));
        const { steps: kernel, weights, alwaysExposed } = joinKernels(kernels, map.sets, LABELS);
        const found = kernel.weigh(TARGETS, allChoices, weights).map((weight) => weight + alwaysExposed);
        const whole = weighed
          .map((realm) =>
            steps.weigh(
              realm.targets,
              allChoices.map((choice) => [...choice.filter((label) => !permanent.includes(label)), ...taken]),
              realm.weights,
            ),
          )
          .reduce((sums, each) => sums.map((sum, at) => sum + (each[at] as number)));
        // A permanent label that is also taken is removed with all its steps; choices may not name it.
        fc.pre(!permanent.some((label) => taken.includes(label)));
        expect(found).toEqual(whole);
      }),
      { numRuns: 2000 },
    );
  });

  it('maps each node of the whole graph to its node', () => {
    fc.assert(
      fc.property(worlds, ({ steps: all, realms: [realm], permanent }) => {
        const steps = stepsOf(all);
        const map = mapOf(steps, permanent, []);
        const targets = realm?.targets as number[];
        const kernel = contractSteps(steps, map, { targets, weights: new Uint32Array(NODES).fill(1) });
        const joined = joinKernels([kernel], map.sets, LABELS);
        for (const choice of allChoices.filter((one) => one.every((label) => !permanent.includes(label)))) {
          const whole = steps.reach(targets, choice);
          const here = joined.steps.reach(TARGETS, choice);
          const places = [...(joined.placesOf[0] as Uint32Array)];
          expect(places.map((place) => (place === NO_NODE ? 0 : here[place]))).toEqual([...whole]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is small if few labels can be removed: one node for all nodes with the same steps', () => {
    const people = 3000;
    const builder = new LabeledStepsBuilder(people + 22);
    const [group, target] = [people + 20, people + 21];
    // Everybody is in one of twenty teams, teams control one another in a circle, and are in one group.
    for (let person = 0; person < people; person++) builder.add(person, people + (person % 20), []);
    for (let team = 0; team < 20; team++) {
      builder.add(people + team, people + ((team + 1) % 20), []);
      builder.add(people + team, group, []);
    }
    builder.add(group, target, [0]);
    const steps = builder.build(1, undefined);
    const map = { places: Uint32Array.of(0, 1), sets: steps.sets };
    const weights = new Uint32Array(people + 22).fill(1, 0, people);
    const { nodeCount, rows, weights: own } = contractSteps(steps, map, { targets: [target], weights });
    expect([nodeCount, rows.stepCount, [...own]]).toEqual([2, 1, [0, people]]);
  });
});
