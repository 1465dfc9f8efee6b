import { edgeKindByName } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { type CollectedObject, type CollectionFile, FLAWS, fileText, generateForest } from './index.ts';
import { edgesOf } from './testing.ts';

const textOf = (file: CollectionFile): string => [...fileText(file)].join('');

function graphOf(users: number, seed: number) {
  const forest = generateForest({ users, seed });
  const objects = new Map<string, CollectedObject>();
  const edges = new Set<string>();
  for (const file of forest.files) {
    for (const object of file.objects()) {
      // Short records of well-known principals repeat an id; the full record came first.
      if (!objects.has(object.ObjectIdentifier)) objects.set(object.ObjectIdentifier, object);
      for (const edge of edgesOf(file.type, object)) edges.add(edge);
    }
  }
  return { forest, objects, edges };
}

/** @returns who can reach the target over traversable edges; local administrators count as such. */
function reachersOf(target: string, edges: ReadonlySet<string>): Set<string> {
  const incoming = new Map<string, string[]>();
  for (const edge of edges) {
    const [start, kind, end] = edge.split('|') as [string, string, string];
    const isLocal = kind === 'MemberOfLocalGroup' || kind === 'LocalToComputer';
    if (!isLocal && edgeKindByName(kind)?.traversable !== true) continue;
    const starts = incoming.get(end);
    if (starts === undefined) incoming.set(end, [start]);
    else starts.push(start);
  }
  const seen = new Set([target]);
  for (const node of seen) for (const start of incoming.get(node) ?? []) seen.add(start);
  return seen;
}

describe('a generated forest', () => {
  it('is the same text for the same seed and another for another', () => {
    const texts = (seed: number): string[] => generateForest({ users: 150, seed }).files.map(textOf);
    expect(texts(7)).toEqual(texts(7));
    expect(texts(7)).not.toEqual(texts(8));
  });

  it('writes data before meta, with version, methods and the right count', () => {
    for (const file of generateForest({ users: 60, seed: 1 }).files) {
      const text = textOf(file);
      expect(text.startsWith('{"data":[{')).toBe(true);
      const { data, meta } = JSON.parse(text);
      expect(meta).toMatchObject({ type: file.type, version: 6, methods: 521_215, count: data.length });
      expect(file.name).toMatch(/^\d{14}_[a-z]+\.json$/);
    }
  });

  it('has every type of object a collector writes, in three domains', () => {
    const { forest } = graphOf(200, 3);
    expect(new Set(forest.files.map((file) => file.type)).size).toBe(13);
    expect(new Set(forest.files.map((file) => file.domain)).size).toBe(3);
  });

  it('gives each object one id, and describes nearly every object it refers to', () => {
    const { forest, objects, edges } = graphOf(900, 2);
    for (const file of forest.files) {
      const full = [...file.objects()].filter((object) => object.Aces.length > 0);
      expect(new Set(full.map((object) => object.ObjectIdentifier)).size).toBe(full.length);
    }
    const isOutside = /-(544|555|562|580|500)$|^S-1-5-32$|-S-1-3-4$/;
    const missing = new Set<string>();
    for (const edge of edges) {
      const [start, , end] = edge.split('|') as [string, string, string];
      for (const id of [start, end]) if (!objects.has(id) && !isOutside.test(id)) missing.add(id);
    }
    // The domain of a partner that is not collected, and that alone.
    expect([...missing]).toEqual([expect.stringMatching(/^S-1-5-21-\d+-\d+-\d+$/)]);
  });

  it('names everything in upper case and uniquely within its kind and domain', () => {
    const { forest } = graphOf(9000, 4);
    for (const file of forest.files) {
      if (file.type === 'containers' || file.type === 'ous') continue;
      const names = new Set<string>();
      for (const object of file.objects()) {
        const name = object.Properties.name as string;
        expect(name).toBe(name.toUpperCase());
        if (object.Aces.length === 0) continue;
        expect(names.has(name), name).toBe(false);
        names.add(name);
      }
    }
  });

  it('has about 2.3 objects per user and ten to thirteen edges per object', () => {
    const { objects, edges } = graphOf(3000, 1);
    expect(objects.size / 3000).toBeGreaterThan(2.1);
    expect(objects.size / 3000).toBeLessThan(2.5);
    expect(edges.size / objects.size).toBeGreaterThan(9.5);
    expect(edges.size / objects.size).toBeLessThan(13);
  });

  it.each([1, 2, 5, 40])('can be as small as %i users', (users) => {
    const { objects, forest, edges } = graphOf(users, 9);
    expect(objects.size).toBeGreaterThan(200);
    expect(reachersOf(forest.route.to, edges).has(forest.route.from)).toBe(true);
    const { from, to, fromName, toName } = forest.route;
    expect([from, to].map((id) => objects.get(id)?.Properties.name)).toEqual([fromName, toName]);
  });

  it.each([1, 2, 3])('lets some ordinary people reach Domain Admins, but not most (seed %i)', (seed) => {
    const { forest, edges, objects } = graphOf(2000, seed);
    const reachers = reachersOf(forest.route.to, edges);
    const root = forest.domains[0]?.sid as string;
    const isPerson = (object: CollectedObject): boolean =>
      object.ObjectIdentifier.startsWith(root) && typeof object.Properties.displayname === 'string';
    const people = [...objects.values()].filter(isPerson);
    const exposed = people.filter((person) => reachers.has(person.ObjectIdentifier)).length / people.length;
    expect(people.length).toBe(1200);
    expect(reachers.has(forest.route.from)).toBe(true);
    expect(exposed).toBeGreaterThanOrEqual(0.01);
    expect(exposed).toBeLessThan(0.7);
  });

  it('plants every flaw somewhere in a forest of some size', () => {
    const { flaws } = generateForest({ users: 30_000, seed: 1 });
    for (const { name } of FLAWS) expect(flaws.get(name), name).toBeGreaterThan(0);
  });

  it('marks an inherited entry with a hash that one of its ancestors hands down', () => {
    const { objects } = graphOf(300, 6);
    const handedDown = new Set([...objects.values()].flatMap((object) => object.InheritanceHashes ?? []));
    let inherited = 0;
    for (const object of objects.values()) {
      for (const entry of object.Aces) {
        expect(entry.IsInherited).toBe(entry.InheritanceHash !== '');
        if (!entry.IsInherited) continue;
        inherited++;
        expect(handedDown.has(entry.InheritanceHash)).toBe(true);
      }
    }
    expect(inherited).toBeGreaterThan(1000);
  });

  it('lets policies change the local groups of exactly the workstations below them', () => {
    const { objects } = graphOf(9000, 1);
    const placeOf = new Map(
      [...objects.values()].map((object) => [object.ObjectIdentifier, object.ContainedBy]),
    );
    let affected = 0;
    for (const unit of objects.values()) {
      const changes = unit.GPOChanges as { AffectedComputers: { ObjectIdentifier: string }[] } | undefined;
      for (const { ObjectIdentifier } of changes?.AffectedComputers ?? []) {
        expect(placeOf.get(ObjectIdentifier)).toMatchObject({ ObjectIdentifier: unit.ObjectIdentifier });
        affected++;
      }
    }
    expect(affected).toBeGreaterThan(500);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d users', (users) => {
    expect(() => generateForest({ users, seed: 1 })).toThrow(RangeError);
  });
});
