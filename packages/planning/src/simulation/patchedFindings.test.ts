/** A patched list of findings equals a full list, regardless of the number of patches. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FindingKey, type Findings, findingKeyText } from './findingKeys.ts';
import { patchedFindings } from './patchedFindings.ts';

const finding = (target: number): FindingKey => ({
  ...{ type: target % 3, zone: 1, target, environment: 0 },
  ...(target % 2 === 0 && { source: target + 1 }),
});
const listOf = (targets: Iterable<number>): Map<string, FindingKey> =>
  new Map([...targets].map((target) => [findingKeyText(finding(target)), finding(target)]));

it('has what a list made whole has, after any changes', () => {
  let [flat, patched] = [0, 0];
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(30), { minLength: 1 }),
      fc.array(fc.uniqueArray(fc.nat(30), { maxLength: 6 }), { maxLength: 5 }),
      (first, changes) => {
        const there = new Set(first);
        let findings: Findings = listOf(first);
        for (const turned of changes) {
          const [closed, opened] = [
            turned.filter((one) => there.has(one)),
            turned.filter((one) => !there.has(one)),
          ];
          for (const one of closed) there.delete(one);
          for (const one of opened) there.add(one);
          findings = patchedFindings(findings, { closed: closed.map(finding), opened: opened.map(finding) });
          const whole = listOf(there);
          expect(findings.size).toBe(whole.size);
          expect(new Map(findings)).toEqual(whole);
          expect([...findings.keys()].sort()).toEqual([...whole.keys()].sort());
          expect([...findings.values()].map(findingKeyText)).toEqual([...findings.keys()]);
          const seen: string[] = [];
          findings.forEach((_, key) => {
            seen.push(key);
          });
          expect(seen).toEqual([...findings.keys()]);
          for (let target = 0; target <= 30; target++) {
            const key = findingKeyText(finding(target));
            expect([findings.has(key), findings.get(key)]).toEqual([whole.has(key), whole.get(key)]);
          }
          if (findings instanceof Map) flat++;
          else patched++;
        }
      },
    ),
  );
  expect(Math.min(flat, patched)).toBeGreaterThan(20);
});
