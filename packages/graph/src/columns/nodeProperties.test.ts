import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EdgeProperties, mergedProperties } from './edgeProperties.ts';
import type { JsonValue } from './jsonValue.ts';
import { NodeProperties, type SharedProperties } from './nodeProperties.ts';

const NODES = 60;

const value: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.boolean(),
  fc.constantFrom('', 'false', 'CORP.LOCAL'),
  fc.constantFrom(0, -0, -1, 1.5, 1_700_000_000_000),
  fc.constantFrom(134_400_570_003_280_569n, -(2n ** 63n)),
  fc.constant(null),
  fc.array(fc.oneof(fc.constantFrom('a', 'b'), fc.integer(), fc.boolean()), { maxLength: 3 }),
  fc.constant({ nested: [1, null] }),
);

const settings = fc.array(
  fc.tuple(fc.constantFrom('enabled', 'domain', '__proto__'), fc.nat(NODES - 1), value),
  { maxLength: 200, size: 'max' },
);

/** The last value set and not cleared, by key and node. */
function naive(list: readonly (readonly [string, number, JsonValue])[]): Map<string, Map<number, JsonValue>> {
  const known = new Map<string, Map<number, JsonValue>>();
  for (const [key, node, set] of list) {
    const column = known.get(key) ?? new Map();
    known.set(key, column);
    if (set === null) column.delete(node);
    else column.set(node, set);
  }
  return known;
}

/** The properties that another thread receives. */
const passedOn = (shared: SharedProperties): NodeProperties =>
  NodeProperties.ofShared(structuredClone(shared));

describe('NodeProperties', () => {
  it('returns the last value, by type', () => {
    fc.assert(
      fc.property(settings, (list) => {
        const properties = new NodeProperties(NODES);
        for (const setting of list) properties.set(...setting);
        const known = naive(list);
        for (const key of ['enabled', 'domain', '__proto__', 'absent']) {
          const nodes = Array.from({ length: NODES }, (_, node) => node);
          const expected = nodes.map((node) => known.get(key)?.get(node));
          const ofType = (type: string) =>
            expected.map((found) => (typeof found === type ? found : undefined));
          expect(nodes.map((node) => properties.value(key, node))).toEqual(expected);
          expect(nodes.map((node) => properties.flag(key, node))).toEqual(ofType('boolean'));
          expect(nodes.map((node) => properties.text(key, node))).toEqual(ofType('string'));
          expect(nodes.map((node) => properties.number(key, node))).toEqual(
            expected.map((found) =>
              typeof found === 'number' || typeof found === 'bigint' ? Number(found) : undefined,
            ),
          );
          expect(nodes.map((node) => properties.list(key, node))).toEqual(
            expected.map((found) => (Array.isArray(found) ? found : undefined)),
          );
        }
      }),
    );
  });

  it('deduplicates texts and finds all nodes with a text, for any number of texts', () => {
    const count = 150_000;
    const properties = new NodeProperties(count);
    const textOf = (node: number): string => (node % 3 === 0 ? `TEXT ${node % 1000}` : `TEXT OF ${node}`);
    for (let node = 0; node < count; node++) properties.add('name', node, textOf(node));
    properties.set('name', 3, 'TEXT OF 4');
    const changed = properties.changed([{ key: 'name', node: 5, value: 'TEXT 999' }]);
    const after = (node: number): string =>
      node === 3 ? 'TEXT OF 4' : node === 5 ? 'TEXT 999' : textOf(node);
    const nodes = Array.from({ length: count }, (_, node) => node);
    expect(nodes.filter((node) => changed.text('name', node) !== after(node))).toEqual([]);
    for (const text of ['TEXT 999', 'TEXT OF 4', 'TEXT OF 149999', 'TEXT OF 3', ''])
      expect([...changed.nodesWhere('name', text)]).toEqual(nodes.filter((node) => after(node) === text));
    expect(properties.text('name', 5)).toBe('TEXT OF 5');
  });

  it('selects nodes by value', () => {
    fc.assert(
      fc.property(settings, value, (list, wanted) => {
        const properties = new NodeProperties(NODES);
        for (const setting of list) properties.set(...setting);
        for (const [key, column] of naive(list)) {
          const where = (test: (found: JsonValue) => boolean) =>
            [...column]
              .filter(([, found]) => test(found))
              .map(([node]) => node)
              .sort((a, b) => a - b);
          expect([...properties.nodesWith(key)]).toEqual(where(() => true));
          expect([...properties.nodesMatching(key, (found) => typeof found === 'string')]).toEqual(
            where((found) => typeof found === 'string'),
          );
          if (typeof wanted === 'object' || typeof wanted === 'bigint') continue;
          expect([...properties.nodesWhere(key, wanted)]).toEqual(where((found) => found === wanted));
        }
      }),
    );
  });

  it('reads all properties of a node, and the texts of a list or a single text', () => {
    const properties = new NodeProperties(2);
    properties.setAll(1, { spns: ['a', 7, 'b'], name: 'X', enabled: false, count: 0, gone: null });
    expect(properties.of(1)).toEqual({ spns: ['a', 7, 'b'], name: 'X', enabled: false, count: 0 });
    expect(properties.of(0)).toEqual({});
    expect(properties.texts('spns', 1)).toEqual(['a', 'b']);
    expect(properties.texts('name', 1)).toEqual(['X']);
    expect(properties.texts('count', 1)).toEqual([]);
    expect(properties.keys()).toEqual(['count', 'enabled', 'name', 'spns']);
  });

  it('are unchanged for another thread after later writes', () => {
    fc.assert(
      fc.property(settings, settings, value, (list, later, other) => {
        const properties = new NodeProperties(NODES);
        for (const setting of list) properties.set(...setting);
        const keys = ['enabled', '__proto__', 'absent'];
        const shared = properties.toShared(keys);
        for (const setting of later) properties.set(...setting);
        const there = passedOn(shared);
        const known = naive(list);
        for (const key of [...keys, 'domain'])
          for (let node = 0; node < NODES; node++)
            expect(there.value(key, node)).toEqual(key === 'domain' ? undefined : known.get(key)?.get(node));
        const changed = there.changed([{ key: 'enabled', node: 3, value: other }]);
        expect(changed.value('enabled', 3)).toEqual(other ?? undefined);
        expect(there.value('enabled', 3)).toEqual(known.get('enabled')?.get(3));
      }),
    );
  });

  it('are the same for another thread, for any number of texts and numbers', () => {
    const count = 150_000;
    const properties = new NodeProperties(count);
    for (let node = 0; node < count; node++) {
      properties.add('name', node, node % 3 === 0 ? `TEXT ${node % 1000}` : `TEXT OF ${node}`);
      properties.add('logon', node, node / 2);
      properties.add('enabled', node, node % 2 === 0);
    }
    const shared = properties.toShared(['name', 'logon', 'enabled']);
    for (const { column } of shared.columns)
      for (const part of [column.flags, column.coded, column.numbers, column.rest])
        if (part !== undefined) expect(part.buffer).toBeInstanceOf(SharedArrayBuffer);
    const there = passedOn(shared);
    const differs = (node: number): boolean =>
      ['name', 'logon', 'enabled'].some((key) => there.value(key, node) !== properties.value(key, node));
    expect(Array.from({ length: count }, (_, node) => node).filter(differs)).toEqual([]);
    expect(there.nodesWhere('name', 'TEXT 999').size).toBe(properties.nodesWhere('name', 'TEXT 999').size);
    expect(there.nodesWhere('name', 'TEXT OF 4').toArray()).toEqual(Uint32Array.of(4));
  });

  it('refuses a node that is not in the graph', () => {
    const properties = new NodeProperties(2);
    expect(() => properties.set('a', 2, true)).toThrow(RangeError);
    expect(properties.flag('a', 2)).toBeUndefined();
  });
});

describe('EdgeProperties', () => {
  it('are unchanged for another thread after later writes', () => {
    const properties = new EdgeProperties();
    properties.set(4_000_000_000, 65_535, 3, { a: 1, b: ['x', null] });
    properties.set(1, 2, 3, { d: 2n ** 60n });
    const shared = structuredClone(properties.toShared());
    expect(shared.buffer).toBeInstanceOf(SharedArrayBuffer);
    properties.set(1, 2, 3, { d: 5 });
    const there = EdgeProperties.ofShared(shared);
    expect(there.size).toBe(2);
    expect(there.get(4_000_000_000, 65_535, 3)).toEqual({ a: 1, b: ['x', null] });
    expect(there.get(1, 2, 3)).toEqual({ d: 2n ** 60n });
  });

  it('merges the properties of one edge and keeps edges apart', () => {
    const properties = new EdgeProperties();
    properties.set(4_000_000_000, 65_535, 3, { a: 1, b: 1 });
    properties.set(4_000_000_000, 65_535, 3, { b: 2 });
    properties.set(4_000_000_000, 65_534, 3, { c: 3 });
    properties.set(1, 2, 3, { d: 4 });
    expect(properties.get(4_000_000_000, 65_535, 3)).toEqual({ a: 1, b: 2 });
    expect(properties.get(4_000_000_000, 65_534, 3)).toEqual({ c: 3 });
    expect(properties.get(4_000_000_000, 65_535, 4)).toBeUndefined();
    expect(properties.get(1, 2, 4)).toBeUndefined();
    expect(properties.size).toBe(3);
    const listed: unknown[] = [];
    properties.forEach((...edge) => {
      listed.push(edge);
    });
    expect(listed).toEqual([
      [4_000_000_000, 65_535, 3, { a: 1, b: 2 }],
      [4_000_000_000, 65_534, 3, { c: 3 }],
      [1, 2, 3, { d: 4 }],
    ]);
  });
});

describe('properties of an edge from several sources', () => {
  it('are the same in any order of the sources, including nested members', () => {
    const values = fc.record(
      { b: fc.constantFrom('x', 'y', true), a: fc.constantFrom(1, 20, 3), c: fc.constantFrom(['p'], ['q']) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(values, { minLength: 2, maxLength: 4 }), (sources) => {
        const united = (some: typeof sources): string => {
          const properties = new EdgeProperties();
          for (const each of some) properties.merge(1, 2, 3, each as never);
          expect(properties.size).toBe(1);
          return JSON.stringify(properties.get(1, 2, 3));
        };
        const expected = united(sources);
        expect(united(sources.toReversed())).toBe(expected);
        expect(united([...sources.slice(1), sources[0] as never])).toBe(expected);
        const keys = sources.flatMap((each) => Object.keys(each));
        expect(Object.keys(JSON.parse(expected))).toEqual([...new Set(keys)].sort());
      }),
    );
  });

  it('have the greater of two values', () => {
    expect(mergedProperties({ type: 'Forest', z: 1 }, { type: 'External', a: 2 })).toEqual({
      ...{ a: 2, type: 'Forest', z: 1 },
    });
  });
});

describe('changed properties', () => {
  it('have other values, and leave the original properties unchanged', () => {
    const before = new NodeProperties(20);
    before.setAll(1, { text: 'a', flag: true, number: 1, list: ['x'] });
    before.setAll(2, { text: 'b', flag: false });
    const after = before.changed([
      { key: 'text', node: 1, value: 'c' },
      { key: 'flag', node: 2, value: true },
      { key: 'number', node: 2, value: 5 },
      { key: 'list', node: 1, value: null },
      { key: 'made', node: 3, value: 'new' },
    ]);
    expect(after.of(1)).toEqual({ text: 'c', flag: true, number: 1 });
    expect(after.of(2)).toEqual({ text: 'b', flag: true, number: 5 });
    expect(after.of(3)).toEqual({ made: 'new' });
    expect(before.of(1)).toEqual({ text: 'a', flag: true, number: 1, list: ['x'] });
    expect(before.of(2)).toEqual({ text: 'b', flag: false });
    expect(before.of(3)).toEqual({});
    expect(after.nodesWhere('flag', true).toArray()).toEqual(Uint32Array.of(1, 2));
  });
});
