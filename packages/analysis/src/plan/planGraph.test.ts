/**
 * The plan graph against the analysis of the changed facts, equal to the principal: random small directories, random sets of
 * repairs.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeOf } from './repairs.ts';
import { changedWorld } from './simulate.ts';
import { exposedAfter, exposedIn, graphOf } from './testing/comparedGraph.ts';
import { randomDirectories, randomWorld } from './testing/randomDirectories.ts';

/** More of them now and then: `CLEW_TEST_ORGANIZATIONS=1000`. */
const ORGANIZATIONS = Number(process.env.CLEW_TEST_ORGANIZATIONS ?? 30);
const SETS = 2;
const SECONDS_EACH = 3;

const sets = fc.array(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 6 }), {
  minLength: SETS,
  maxLength: SETS,
});

describe('the plan graph of random directories', () => {
  const options = { timeout: ORGANIZATIONS * SECONDS_EACH * 1000 };
  it('says what a simulation says, with all labels and with wide ones', options, () => {
    const tried = new Set<string>();
    let fell = 0;
    fc.assert(
      fc.property(randomDirectories, sets, (spec, drawn) => {
        const world = randomWorld(spec);
        const before = exposedIn(world);
        for (const scope of ['all', 'wide'] as const) {
          const graph = graphOf(world, scope);
          const { repairs } = graph;
          expect(exposedAfter(graph, world, [])).toEqual(before);
          if (repairs.length === 0) continue;
          for (const numbers of drawn) {
            const choice = [...new Set(numbers.map((number) => number % repairs.length))];
            const chosen = choice.map((at) => repairs[at]);
            const names = chosen.map(({ id }) => id);
            for (const { kind } of chosen) tried.add(kind);
            const exposed = exposedIn(changedWorld(world, changeOf(chosen)));
            if (JSON.stringify(exposed) !== JSON.stringify(before)) fell++;
            expect([names, exposedAfter(graph, world, choice)]).toEqual([names, exposed]);
          }
        }
      }),
      { numRuns: ORGANIZATIONS },
    );
    // Nothing above was agreement on nothing.
    expect(fell).toBeGreaterThan(ORGANIZATIONS / 4);
    expect(tried.size).toBeGreaterThan(10);
  });
});
