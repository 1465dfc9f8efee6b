import type { SimulationNodeDatum } from 'd3-force';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chargeForce } from './charge.ts';

type Node = SimulationNodeDatum & Required<Pick<SimulationNodeDatum, 'x' | 'y' | 'vx' | 'vy'>>;

const nodesAt = (places: readonly (readonly [number, number])[]): Node[] =>
  places.map(([x, y], index) => ({ x, y, vx: 0, vy: 0, index }));

function pushed(places: readonly (readonly [number, number])[], theta: number, maxDistance = 1600): Node[] {
  const nodes = nodesAt(places);
  const force = chargeForce({ strength: -700, maxDistance, theta });
  force.initialize!(nodes, Math.random);
  force(0.5);
  return nodes;
}

/** The slow, obvious twin: every object repels every other. */
function pushedByEach(places: readonly (readonly [number, number])[], maxDistance = 1600): Node[] {
  const nodes = nodesAt(places);
  for (const node of nodes)
    for (const other of nodes) {
      const [dx, dy] = [other.x - node.x, other.y - node.y];
      const square = dx * dx + dy * dy;
      if (square === 0 || square >= maxDistance ** 2) continue;
      const push = (-700 * 0.5) / (square < 1 ? Math.sqrt(square) : square);
      node.vx += dx * push;
      node.vy += dy * push;
    }
  return nodes;
}

const places = fc.uniqueArray(
  fc.tuple(fc.integer({ min: -2000, max: 2000 }), fc.integer({ min: -2000, max: 2000 })),
  { minLength: 1, maxLength: 60, selector: String },
);

describe('the repulsion of a free layout', () => {
  it('without approximation is the sum over all pairs', () => {
    fc.assert(
      fc.property(places, fc.constantFrom(500, 1600, 10_000), (all, far) => {
        const [nodes, twins] = [pushed(all, 0, far), pushedByEach(all, far)];
        for (const [at, { vx, vy }] of nodes.entries()) {
          expect(vx).toBeCloseTo(twins[at].vx, 6);
          expect(vy).toBeCloseTo(twins[at].vy, 6);
        }
      }),
    );
  });

  it('with the approximation of large drawings differs little from it', () => {
    const all = Array.from({ length: 1200 }, (_, at) => {
      const radius = 10 * Math.sqrt(at);
      return [Math.cos(at * 2.4) * radius * 2, Math.sin(at * 2.4) * radius] as const;
    });
    const [nodes, twins] = [pushed(all, 1.4), pushedByEach(all)];
    const lengthOf = (vx: number, vy: number): number => Math.hypot(vx, vy);
    const error = nodes.reduce(
      (sum, { vx, vy }, at) => sum + lengthOf(vx - twins[at].vx, vy - twins[at].vy),
      0,
    );
    const whole = twins.reduce((sum, { vx, vy }) => sum + lengthOf(vx, vy), 0);
    expect(error / whole).toBeLessThan(0.1);
  });

  it('separates objects at the same place', () => {
    const [a, b, c] = pushed([...Array(3).fill([5, 5]), [500, 9]], 0.9);
    expect(new Set([a.vx, b.vx, c.vx]).size).toBe(3);
    for (const { vx, vy } of [a, b, c]) expect(Number.isFinite(vx) && Number.isFinite(vy)).toBe(true);
  });
});
