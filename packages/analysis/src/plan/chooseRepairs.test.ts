/** Where many ways lead in side by side, as they do in large organisations. */
import { LabelledStepsBuilder, NodeSet } from '@clew/graph';
import { describe, expect, it } from 'vitest';
import { chooseRepairs } from './chooseRepairs.ts';
import type { PlanGraph } from './planGraph.ts';
import type { Repair } from './repairs.ts';

const PRINCIPALS = 500;
const repair = (id: string): Repair => ({
  ...{ id, kind: 'keep-off', object: 0, edgeKinds: [] },
  change: { removed: [], properties: [] },
});

/**
 * All principals come to every one of `hosts` computers, and each of these to the zone. A repair for each computer, the
 * last one for the first `covered` of them together.
 */
function parallelWays(hosts: number, covered: number): PlanGraph {
  const builder = new LabelledStepsBuilder(PRINCIPALS + hosts + 1);
  const target = PRINCIPALS + hosts;
  for (let host = 0; host < hosts; host++) {
    for (let principal = 0; principal < PRINCIPALS; principal++)
      builder.add(principal, PRINCIPALS + host, []);
    builder.add(PRINCIPALS + host, target, host < covered ? [host, hosts] : [host]);
  }
  const steps = builder.build(hosts + 1, undefined);
  const weights = new Uint32Array(steps.nodeCount).fill(1, 0, PRINCIPALS);
  const counted = NodeSet.of(steps.nodeCount, [...weights.keys()].slice(0, PRINCIPALS));
  const gates = Array.from({ length: hosts }, (_, host) => PRINCIPALS + host);
  const upstream = new Float64Array(steps.nodeCount);
  for (const gate of gates) upstream[gate] = PRINCIPALS;
  const thresholds = new Uint8Array(steps.nodeCount);
  thresholds[target] = 1;
  return {
    ...{
      steps,
      gates,
      upstream,
      thresholds,
      realms: [{ targets: Uint32Array.of(target), weights, counted }],
    },
    repairs: Array.from({ length: hosts + 1 }, (_, at) => repair(String(at))),
    bounds: new Float64Array(hosts + 1).fill(PRINCIPALS),
  };
}

const costs = (hosts: number): Float64Array => new Float64Array(hosts + 1).fill(3).fill(4, hosts);

describe('repairs of many ways side by side', () => {
  it('are one for all of them, where there is one', () => {
    const chosen = chooseRepairs(parallelWays(60, 60), { costs: costs(60), count: 5 });
    expect(chosen).toEqual({ repairs: [60], exposed: [PRINCIPALS, 0], isByWidth: false });
  });

  it('are one for most, then each of the rest, as long as few are enough', () => {
    const { repairs, exposed, isByWidth } = chooseRepairs(parallelWays(60, 57), {
      costs: costs(60),
      count: 5,
    });
    expect([...repairs].sort((a, b) => a - b)).toEqual([57, 58, 59, 60]);
    expect([exposed.at(-1), isByWidth]).toEqual([0, false]);
  });

  it('go by how much comes over them where no few keep anyone out', () => {
    const { repairs, exposed, isByWidth } = chooseRepairs(parallelWays(200, 50), {
      costs: costs(200),
      count: 3,
    });
    expect(isByWidth).toBe(true);
    expect(repairs[0]).toBe(200);
    // What it covers already is not worth a place any more.
    for (const other of repairs.slice(1)) expect(other).toBeGreaterThanOrEqual(50);
    expect(repairs).toHaveLength(3);
    expect(new Set(exposed)).toEqual(new Set([PRINCIPALS]));
  });
});
