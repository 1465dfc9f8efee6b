import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ScoreFacts, scoreOf } from './score.ts';

const BEST: ScoreFacts = {
  isKnown: true,
  ...{ principals: 100, exposed: 0, criticalTypes: 0, highTypes: 0 },
  ...{ activeComputers: 10, sessionComputers: 10, groupComputers: 10 },
};

describe('the score', () => {
  it.each<[Partial<ScoreFacts>, number | null]>([
    [{}, 100],
    [{ exposed: 50 }, 70],
    [{ exposed: 100 }, 40],
    [{ criticalTypes: 1, highTypes: 2 }, 91],
    [{ criticalTypes: 50 }, 75],
    [{ sessionComputers: 0 }, 93],
    [{ sessionComputers: 0, groupComputers: 0 }, 85],
    [{ activeComputers: 0, sessionComputers: 0, groupComputers: 0 }, 100],
    [{ activeComputers: 0, exposed: 50 }, 65],
    [{ principals: 0 }, 100],
    [{ isKnown: false }, null],
    [{ isKnown: false, activeComputers: 0 }, null],
    [{ exposed: 100, criticalTypes: 9, sessionComputers: 0, groupComputers: 0 }, 0],
  ])('of %j is %d', (facts, value) => {
    expect(scoreOf({ ...BEST, ...facts }).value).toBe(value);
  });

  it('has no data of an empty installation, and says so for each part', () => {
    const { value, parts } = scoreOf({
      ...{ isKnown: false, principals: 0, exposed: 0, criticalTypes: 0, highTypes: 0 },
      ...{ activeComputers: 0, sessionComputers: 0, groupComputers: 0 },
    });
    expect(value).toBeNull();
    for (const { points, because } of parts) {
      expect(points).toBeNull();
      expect(because).toMatch(/^unknown: /);
    }
  });

  it('is the sum of its parts, within 0 and 100, and never rises when something gets worse', () => {
    const count = fc.nat(50);
    const facts = fc.record({ exposed: count, criticalTypes: count, highTypes: count, missing: count });
    fc.assert(
      fc.property(
        facts,
        fc.constantFrom('exposed', 'criticalTypes', 'highTypes', 'missing'),
        (given, worse) => {
          const score = (all: typeof given) => {
            const seen = 50 - Math.min(50, all.missing);
            const { missing: _, ...rest } = all;
            return scoreOf({
              ...{ ...rest, isKnown: true, principals: 51, activeComputers: 50 },
              ...{ sessionComputers: seen, groupComputers: seen },
            });
          };
          const before = score(given);
          expect(before.value).toBe(
            Math.round(before.parts.reduce((sum, { points }) => sum + (points ?? 0), 0)),
          );
          expect(before.value).toBeGreaterThanOrEqual(0);
          expect(before.value).toBeLessThanOrEqual(100);
          for (const { points, most } of before.parts) {
            expect(points).toBeGreaterThanOrEqual(0);
            expect(points).toBeLessThanOrEqual(most);
          }
          expect(score({ ...given, [worse]: given[worse] + 1 }).value).toBeLessThanOrEqual(before.value ?? 0);
        },
      ),
    );
  });
});
