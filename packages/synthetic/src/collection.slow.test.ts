import { edgeKindByName } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { edgesOf } from '../test/index.ts';
import { NARROW_FLAWS } from './flaws.ts';
import {
  type CollectedObject,
  type CollectionFile,
  FLAWS,
  type ForestOptions,
  fileText,
  generateForest,
} from './index.ts';
import { planForest } from './plan.ts';
import { plantFlaws } from './plantFlaws.ts';
import { WIDE_FLAWS } from './wideFlaws.ts';

const textOf = (file: CollectionFile): string => [...fileText(file)].join('');

function graphOf(users: number, seed: number, options: Partial<ForestOptions> = {}) {
  const forest = generateForest({ users, seed, ...options });
  const objects = new Map<string, CollectedObject>();
  const edges = new Set<string>();
  for (const file of forest.files) {
    for (const object of file.objects()) {
      // Short records of well-known principals repeat an id; the full record comes first.
      if (!objects.has(object.ObjectIdentifier)) objects.set(object.ObjectIdentifier, object);
      for (const edge of edgesOf(file.type, object)) edges.add(edge);
    }
  }
  return { forest, objects, edges };
}

/** @returns the objects that can reach the target over traversable edges or as local administrators */
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
  it('is the same text for the same seed and a different one for another seed', () => {
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

  it('has every type of object that a collector writes, in three domains', () => {
    const { forest } = graphOf(200, 3);
    expect(new Set(forest.files.map((file) => file.type)).size).toBe(13);
    expect(new Set(forest.files.map((file) => file.domain)).size).toBe(3);
  });

  it.each([1, 2, 3] as const)('describes nearly every object it refers to, each once (shape %i)', (shape) => {
    const { forest, objects, edges } = graphOf(900, 2, { shape, domains: 3 });
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
    // The domain of a partner that is not collected, and in later shapes, deleted accounts.
    const ofDomains = [...missing].filter((id) => /^S-1-5-21-\d+-\d+-\d+$/.test(id));
    expect(ofDomains).toHaveLength(1);
    // In shape 3, accounts of domains that no longer exist.
    const isKnown = (id: string) => forest.domains.some(({ sid }) => id.startsWith(`${sid}-`));
    const deleted = [...missing].filter((id) => !ofDomains.includes(id) && (shape !== 3 || isKnown(id)));
    for (const id of deleted)
      expect(
        forest.domains.some(({ sid }) => id.startsWith(`${sid}-`)),
        id,
      ).toBe(true);
    if (shape === 1) expect(deleted).toEqual([]);
    else expect(deleted.length).toBeGreaterThan(5);
  });

  it('names everything in upper case and uniquely within its kind and domain', () => {
    const { forest } = graphOf(3000, 4);
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

  it.each([
    [1, 2.3],
    [2, 2.6],
  ] as const)('in shape %i has about %d objects per user, ten to thirteen edges each', (shape, perUser) => {
    const { objects, edges } = graphOf(3000, 1, { shape });
    expect(objects.size / 3000).toBeGreaterThan(perUser - 0.2);
    expect(objects.size / 3000).toBeLessThan(perUser + 0.2);
    expect(edges.size / objects.size).toBeGreaterThan(9.5);
    expect(edges.size / objects.size).toBeLessThan(13);
  });

  it.each([1, 2, 5, 40])('can be as small as %i users', (users) => {
    const { objects, forest, edges } = graphOf(users, 9, { domains: 1 + (users % 3) });
    expect(objects.size).toBeGreaterThan(200);
    expect(reachersOf(forest.route.to, edges).has(forest.route.from)).toBe(true);
    const { from, to, fromName, toName } = forest.route;
    expect([from, to].map((id) => objects.get(id)?.Properties.name)).toEqual([fromName, toName]);
  });

  it.each([1, 2, 3])('lets some ordinary people reach Domain Admins, but not most (seed %i)', (seed) => {
    const { forest, edges, objects } = graphOf(2000, seed);
    const reachers = reachersOf(forest.route.to, edges);
    const root = forest.domains[0]?.sid as string;
    const isPerson = ({ ObjectIdentifier, Properties }: CollectedObject): boolean =>
      ObjectIdentifier.startsWith(root) && typeof Properties.email === 'string';
    const people = [...objects.values()].filter(isPerson);
    const exposed = people.filter((person) => reachers.has(person.ObjectIdentifier)).length / people.length;
    expect(people.length).toBe(1200);
    expect(reachers.has(forest.route.from)).toBe(true);
    expect(exposed).toBeGreaterThanOrEqual(0.005);
    expect(exposed).toBeLessThan(0.7);
  });

  it('plants every narrow flaw in a sufficiently large forest', () => {
    const { flaws } = generateForest({ users: 30_000, seed: 1 });
    for (const { name } of NARROW_FLAWS) expect(flaws.get(name), name).toBeGreaterThan(0);
    for (const { name } of WIDE_FLAWS) expect(flaws.get(name), name).toBe(0);
  });

  it('plants every flaw in some organizations of shape 3, and none in all of them', () => {
    const seeds = Array.from({ length: 60 }, (_, seed) => seed);
    const planted = seeds.map((seed) => plantFlaws(planForest({ users: 2000, seed, shape: 3 })).planted);
    for (const { name } of FLAWS) {
      const share = planted.filter((flaws) => (flaws.get(name) ?? 0) > 0).length / seeds.length;
      expect(share, name).toBeGreaterThan(0);
      expect(share, name).toBeLessThan(1);
    }
  });

  it.each([1, 4, 9])('reports whether the planted path exists (shape 3, seed %i)', (seed) => {
    const { forest, edges } = graphOf(700, seed, { shape: 3 });
    if (forest.route.exists) expect(reachersOf(forest.route.to, edges).has(forest.route.from)).toBe(true);
    expect(generateForest({ users: 700, seed }).route.exists).toBe(true);
  });

  it('marks an inherited entry with the hash of an entry that an ancestor passes on', () => {
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

  it.each([2, 3] as const)(
    'lets policies change only the local groups of machines below them (shape %i)',
    (shape) => {
      const { objects } = graphOf(9000, 1, { shape });
      const placeOf = new Map(
        [...objects.values()].map((object) => [
          object.ObjectIdentifier,
          (object.ContainedBy as { ObjectIdentifier: string } | null)?.ObjectIdentifier,
        ]),
      );
      let affected = 0;
      for (const unit of objects.values()) {
        const changes = unit.GPOChanges as { AffectedComputers: { ObjectIdentifier: string }[] } | undefined;
        for (const { ObjectIdentifier } of changes?.AffectedComputers ?? []) {
          let place = placeOf.get(ObjectIdentifier);
          while (place !== unit.ObjectIdentifier && place !== undefined) place = placeOf.get(place);
          expect(place).toBe(unit.ObjectIdentifier);
          affected++;
        }
      }
      expect(affected).toBeGreaterThan(500);
    },
  );

  it('includes members added by policies on each machine that answered (shape 3)', () => {
    const { objects } = graphOf(3000, 1, { shape: 3, domains: 2 });
    let added = 0;
    for (const unit of objects.values()) {
      // biome-ignore lint/suspicious/noExplicitAny: records as they were read from a file.
      const { LocalAdmins = [], AffectedComputers = [] } = (unit.GPOChanges ?? {}) as any;
      for (const { ObjectIdentifier } of AffectedComputers) {
        // biome-ignore lint/suspicious/noExplicitAny: records as they were read from a file.
        const groups = objects.get(ObjectIdentifier)?.LocalGroups as any[];
        const administrators = groups.find((group) => group.ObjectIdentifier === `${ObjectIdentifier}-544`);
        if (administrators === undefined) continue;
        for (const member of LocalAdmins) {
          expect(administrators.Results).toContainEqual(member);
          added++;
        }
      }
    }
    expect(added).toBeGreaterThan(50);
  });

  it.each([1, 2, 4, 20])('has the requested number of domains, %i, which trust each other', (domains) => {
    const { forest, objects, edges } = graphOf(600, 3, { domains });
    expect(forest.domains).toHaveLength(domains);
    expect(new Set(forest.domains.map(({ sid }) => sid)).size).toBe(domains);
    const [root, ...others] = forest.domains.map(({ sid }) => sid);
    for (const other of others) {
      const trusts = ['SameForestTrust', 'CrossForestTrust'].map((kind) =>
        edges.has(`${other}|${kind}|${root}`),
      );
      expect(trusts.filter(Boolean)).toHaveLength(1);
    }
    const people = [...objects.values()].filter(({ Properties }) => typeof Properties.email === 'string');
    expect(Math.abs(people.length - 600)).toBeLessThan(domains);
  });

  it('has every type of object in a single domain', () => {
    expect(new Set(graphOf(200, 3, { domains: 1 }).forest.files.map((file) => file.type)).size).toBe(13);
  });

  it.each([
    { domains: 0 },
    { domains: 21 },
    { domains: 2.5 },
    { shape: 4 as 3 },
    { shape: 1, domains: 4 } as const,
    { flaws: 'some' as 'none' },
  ])('rejects %o', (options) => {
    expect(() => generateForest({ users: 10, seed: 1, ...options })).toThrow(RangeError);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects %d users', (users) => {
    expect(() => generateForest({ users, seed: 1 })).toThrow(RangeError);
  });
});
