import { describe, expect, it } from 'vitest';
import { generateForest } from './collection.ts';
import { driftedForest } from './drift.ts';
import type { CollectedObject } from './records.ts';

const OPTIONS = { users: 400, seed: 7, collectedAt: 1_780_000_000 };

/** Pairs of corresponding objects of both forests. */
function pairs(
  every: number,
  round: number,
): [type: string, before: CollectedObject, after: CollectedObject][] {
  const forest = generateForest(OPTIONS);
  const later = driftedForest(forest, { every, round });
  return forest.files.flatMap((file, at) => {
    const [before, after] = [[...file.objects()], [...later.files[at].objects()]];
    expect(after.map(({ ObjectIdentifier }) => ObjectIdentifier)).toEqual(
      before.map(({ ObjectIdentifier }) => ObjectIdentifier),
    );
    return before.map((object, place): [string, CollectedObject, CollectedObject] => [
      file.type,
      object,
      after[place],
    ]);
  });
}

const isOther = (_type: string, before: CollectedObject, after: CollectedObject): boolean =>
  JSON.stringify(before) !== JSON.stringify(after);

describe('an organization some time later', () => {
  it.each([1, 10, 50])('changes one in %d users, groups and computers', (every) => {
    const all = pairs(every, 0).filter(([type]) => ['users', 'groups', 'computers'].includes(type));
    const share = all.filter((pair) => isOther(...pair)).length / all.length;
    expect(share).toBeGreaterThan(0.6 / every);
    expect(share).toBeLessThanOrEqual(1.2 / every);
  });

  it('changes nothing else, and the same objects each time', () => {
    for (const [type, before, after] of pairs(5, 0))
      if (!['users', 'groups', 'computers'].includes(type)) expect(after).toEqual(before);
    expect(pairs(5, 0)).toEqual(pairs(5, 0));
  });

  it('changes different objects in a different round', () => {
    const changed = (round: number) =>
      new Set(pairs(20, round).flatMap((pair) => (isOther(...pair) ? [pair[1].ObjectIdentifier] : [])));
    const first = changed(0);
    expect([...changed(3)].filter((id) => first.has(id))).toEqual([]);
    expect(changed(3).size).toBeGreaterThan(10);
  });

  it('changes access lists, members, sessions, local groups, and the state of accounts', () => {
    const changed = pairs(1, 0).filter((pair) => isOther(...pair));
    const members = new Set(
      changed.flatMap(([type, before, after]) =>
        Object.keys(after)
          .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
          .map((key) => `${type} ${key}`),
      ),
    );
    expect([...members].sort()).toEqual([
      ...['computers LocalGroups', 'computers PrivilegedSessions', 'computers Properties', 'groups Members'],
      ...['groups Properties', 'users Aces', 'users Properties'],
    ]);
    const toggled = changed.filter(
      ([, before, after]) => before.Properties.enabled !== after.Properties.enabled,
    );
    expect(toggled.length).toBeGreaterThan(5);
  });
});
