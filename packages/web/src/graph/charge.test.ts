import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bodies, chargeOf } from './charge.ts';

type Places = readonly (readonly [x: number, y: number])[];

const bodiesAt = (places: Places): Bodies => ({
  count: places.length,
  x: Float64Array.from(places, ([x]) => x),
  y: Float64Array.from(places, ([, y]) => y),
  vx: new Float64Array(places.length),
  vy: new Float64Array(places.length),
});

function pushed(places: Places, theta: number, maxDistance = 1600): Bodies {
  const bodies = bodiesAt(places);
  chargeOf(bodies, { strength: -700, maxDistance, theta })(0.5);
  return bodies;
}

/** The slow, obvious twin: every object repels every other. */
function pushedByEach(places: Places, maxDistance = 1600): Bodies {
  const bodies = bodiesAt(places);
  for (const [at, [x, y]] of places.entries())
    for (const [otherX, otherY] of places) {
      const [dx, dy] = [otherX - x, otherY - y];
      const square = dx * dx + dy * dy;
      if (square === 0 || square >= maxDistance ** 2) continue;
      const push = (-700 * 0.5) / (square < 1 ? Math.sqrt(square) : square);
      bodies.vx[at] += dx * push;
      bodies.vy[at] += dy * push;
    }
  return bodies;
}

const places = fc.uniqueArray(
  fc.tuple(fc.integer({ min: -2000, max: 2000 }), fc.integer({ min: -2000, max: 2000 })),
  { minLength: 1, maxLength: 60, selector: String },
);

describe('the repulsion of a free layout', () => {
  it('without approximation is the sum over all pairs', () => {
    fc.assert(
      fc.property(places, fc.constantFrom(500, 1600, 10_000), (all, far) => {
        const [bodies, twins] = [pushed(all, 0, far), pushedByEach(all, far)];
        for (const at of all.keys()) {
          expect(bodies.vx[at]).toBeCloseTo(twins.vx[at], 6);
          expect(bodies.vy[at]).toBeCloseTo(twins.vy[at], 6);
        }
      }),
    );
  });

  it('with the approximation of large drawings differs little from it', () => {
    const all = Array.from({ length: 1200 }, (_, at) => {
      const radius = 10 * Math.sqrt(at);
      return [Math.cos(at * 2.4) * radius * 2, Math.sin(at * 2.4) * radius] as const;
    });
    const [bodies, twins] = [pushed(all, 1.4), pushedByEach(all)];
    const sum = (lengthAt: (at: number) => number): number =>
      all.reduce((total, _, at) => total + lengthAt(at), 0);
    const error = sum((at) => Math.hypot(bodies.vx[at] - twins.vx[at], bodies.vy[at] - twins.vy[at]));
    const whole = sum((at) => Math.hypot(twins.vx[at], twins.vy[at]));
    expect(error / whole).toBeLessThan(0.1);
  });

  it('separates objects at the same place', () => {
    const { vx, vy } = pushed(
      [
        [5, 5],
        [5, 5],
        [5, 5],
        [500, 9],
      ],
      0.9,
    );
    expect(new Set(vx.slice(0, 3)).size).toBe(3);
    for (const speed of [...vx, ...vy]) expect(speed).toSatisfy(Number.isFinite);
  });
});
