import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { personName } from './people.ts';
import { guidOf, randomStream } from './random.ts';

describe('a stream', () => {
  it('is a function of seed, name, index and draw', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string(), fc.nat(), fc.nat(30), (seed, name, index, draw) => {
        const value = randomStream(seed, name)(index, draw);
        expect(value).toBe(randomStream(seed, name)(index, draw));
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThan(1);
      }),
    );
  });

  it.each(['a', 'b', 'AURORA.EXAMPLE/person'])('is uniform over indices and over draws (%s)', (name) => {
    const stream = randomStream(1, name);
    for (const at of [(step: number) => stream(step), (step: number) => stream(5, step)]) {
      const buckets = new Array<number>(20).fill(0);
      for (let step = 0; step < 20_000; step++) buckets[Math.floor(at(step) * 20)]! += 1;
      for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(150);
    }
  });

  it('does not repeat itself in the next draw', () => {
    const stream = randomStream(3, 'pairs');
    let agreeing = 0;
    for (let index = 0; index < 10_000; index++) {
      if (Math.abs(stream(index, 0) - stream(index, 1)) < 0.01) agreeing++;
    }
    // Independent draws are within a hundredth of each other in about two cases of a hundred.
    expect(agreeing).toBeGreaterThan(120);
    expect(agreeing).toBeLessThan(290);
  });
});

it('makes GUIDs as collectors write them', () => {
  expect(guidOf('anything')).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
});

it('gives different names to twenty thousand people', () => {
  expect(
    new Set(
      Array.from(
        { length: 20_000 },
        (_, index) => personName(index, { shape: 1, dialect: 'english' }).account,
      ),
    ).size,
  ).toBe(20_000);
});
