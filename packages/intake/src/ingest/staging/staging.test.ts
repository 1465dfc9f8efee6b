/** The parts that bring facts into the staging tables, each by itself. */
import { EdgeFlag } from '@clew/model';
import { type Database, MAX_OBJECT_ID_BYTES, ObjectIdDictionary, objectIdFault } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { safeFileName } from '../fileName.ts';
import { EdgeColumns, mergeFlags } from './edgeColumns.ts';
import { IdSet } from './idSet.ts';
import { KindNames } from './kindNames.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

describe('the dictionary of object ids', () => {
  const idOf = (dictionary: ObjectIdDictionary, objectId: string) => dictionary.get(objectId) as number;

  it('gives each id one permanent number', async () => {
    const first = new ObjectIdDictionary(database.pool);
    await first.resolve(new Set(['A', 'B', 'é']));
    const second = new ObjectIdDictionary(database.pool);
    await second.resolve(new Set(['B', 'C', 'é']));
    expect(idOf(second, 'B')).toBe(idOf(first, 'B'));
    expect(idOf(second, 'é')).toBe(idOf(first, 'é'));
    expect(new Set([idOf(first, 'A'), idOf(first, 'B'), idOf(first, 'é'), idOf(second, 'C')]).size).toBe(4);
  });

  it('does not use up numbers for known ids', async () => {
    const known = new Set(Array.from({ length: 100 }, (_, at) => `KNOWN-${at}`));
    for (let times = 0; times < 5; times++) await new ObjectIdDictionary(database.pool).resolve(known);
    const dictionary = new ObjectIdDictionary(database.pool);
    await dictionary.resolve(new Set([...known, 'NEXT']));
    const highest = Math.max(...[...known].map((objectId) => idOf(dictionary, objectId)));
    expect(idOf(dictionary, 'NEXT')).toBe(highest + 1);
  });

  it('gives the same numbers to concurrent callers', async () => {
    const wanted = new Set(Array.from({ length: 6000 }, (_, at) => `AT-ONCE-${at}`));
    const dictionaries = Array.from({ length: 4 }, () => new ObjectIdDictionary(database.pool));
    await Promise.all(dictionaries.map((dictionary) => dictionary.resolve(wanted)));
    for (const objectId of wanted) {
      expect(new Set(dictionaries.map((dictionary) => idOf(dictionary, objectId))).size).toBe(1);
    }
  });

  it('evicts old ids, but never ids of the last call', async () => {
    const dictionary = new ObjectIdDictionary(database.pool, 50);
    for (let batch = 0; batch < 20; batch++) {
      const wanted = new Set(Array.from({ length: 50 }, (_, at) => `BATCH-${batch}-${at}`));
      await dictionary.resolve(wanted);
      for (const objectId of wanted) expect(dictionary.get(objectId)).toBeTypeOf('number');
    }
    expect(dictionary.get('BATCH-0-0')).toBeUndefined();
  });

  it.each([
    ['', 'the object id is empty'],
    ['A\0', 'the object id contains a NUL character'],
    ['\ud800', 'the object id is not valid Unicode'],
    ['x'.repeat(MAX_OBJECT_ID_BYTES + 1), 'the object id is longer than 2048 bytes'],
    ['é'.repeat(MAX_OBJECT_ID_BYTES / 2 + 1), 'the object id is longer than 2048 bytes'],
    ['x'.repeat(MAX_OBJECT_ID_BYTES), undefined],
    ['S-1-5-21-1-2-3-1104', undefined],
  ])('validates %j', (objectId, fault) => {
    expect(objectIdFault(objectId)).toBe(fault);
  });
});

describe('kinds of other sources', () => {
  it('get one number each', async () => {
    const [one, other] = [new KindNames(database.pool), new KindNames(database.pool)];
    await Promise.all([
      one.register('node_kind', new Set(['Vault', 'Pipeline'])),
      other.register('node_kind', new Set(['Pipeline', 'Vault'])),
    ]);
    expect(one.nodeKind('Vault')).toBe(other.nodeKind('Vault'));
    expect(one.nodeKind('Vault')).not.toBe(one.nodeKind('Pipeline'));
    expect(one.nodeKind('User')).toBe(2);
    await one.register('node_kind', new Set(['', 'x'.repeat(300), 'nul\0']));
    expect([one.nodeKind(''), one.nodeKind('nul\0')]).toEqual([undefined, undefined]);
  });
});

describe('a set of numbers', () => {
  it('contains the added values, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200_000)), fc.array(fc.nat(200_000)), (some, others) => {
        const set = new IdSet();
        const naive = new Set<number>();
        for (const id of some) {
          expect(set.add(id)).toBe(!naive.has(id));
          naive.add(id);
        }
        expect([...set]).toEqual([...naive].sort((a, b) => a - b));
        expect(set.size).toBe(naive.size);
        for (const id of others) expect(set.has(id)).toBe(naive.has(id));
        const more = new IdSet();
        for (const id of others) more.add(id);
        set.addAll(more);
        expect([...set]).toEqual([...new Set([...some, ...others])].sort((a, b) => a - b));
      }),
    );
  });
});

describe('the edges of a set', () => {
  it('are sorted without duplicates, for any order and number of edges', () => {
    const anyEdge = fc.record({
      start: fc.nat(5),
      kind: fc.nat(3),
      end: fc.nat(5),
      flags: fc.nat(31),
      properties: fc.option(fc.dictionary(fc.constantFrom('a', 'b'), fc.nat(3)), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(anyEdge, { maxLength: 150 }), (edges) => {
        const columns = new EdgeColumns();
        columns.add(9, 9, 9, 9, { from: 'a set before' });
        columns.clear();
        for (const { start, kind, end, flags, properties } of edges)
          columns.add(start, kind, end, flags, properties);
        columns.normalize();

        const naive = new Map<string, { flags: number; properties?: object }>();
        for (const { start, kind, end, flags, properties } of edges) {
          const known = naive.get(`${start} ${kind} ${end}`);
          naive.set(`${start} ${kind} ${end}`, {
            flags: known === undefined ? flags : mergeFlags(known.flags, flags),
            properties:
              properties === undefined ? known?.properties : { ...known?.properties, ...properties },
          });
        }
        const expected = [...naive].sort(([a], [b]) => (a < b ? -1 : 1));
        const sparse = columns.sparseProperties() ?? {};
        const actual = Array.from({ length: columns.count }, (_, at) => [
          `${columns.starts[at]} ${columns.kinds[at]} ${columns.ends[at]}`,
          { flags: columns.flags[at], properties: sparse[at] },
        ]);
        expect(actual).toEqual(expected);
      }),
    );
  });

  it('are inherited only if every entry is inherited', () => {
    expect(mergeFlags(EdgeFlag.Inherited, EdgeFlag.Inherited)).toBe(EdgeFlag.Inherited);
    expect(mergeFlags(EdgeFlag.Inherited | EdgeFlag.Acl, EdgeFlag.Enforced)).toBe(
      EdgeFlag.Acl | EdgeFlag.Enforced,
    );
  });
});

describe('the name of an uploaded file', () => {
  it.each([
    ['20240305_users.json', '20240305_users.json'],
    ['C:\\temp\\users.json', 'users.json'],
    ['../../etc/passwd', 'passwd'],
    ['na%20me%2f..%2fx.json', 'x.json'],
    ['100%', '100%'],
    ['a\u0000b\nc\u202e.json', 'abc.json'],
    ['x'.repeat(400), 'x'.repeat(255)],
    ['/', 'fallback'],
    ['', 'fallback'],
    [undefined, 'fallback'],
  ])('%j is kept as %j', (header, name) => {
    expect(safeFileName(header, 'fallback')).toBe(name);
  });
});
