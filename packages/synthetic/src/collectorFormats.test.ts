/** Generated files have exactly the members that collectors write, so tests with them are valid for real ones. */
import { describe, expect, it } from 'vitest';
import { faultsOf, ITEMS, PROPERTIES, RECORDS } from '../test/collectorFormats.ts';
import { type ForestOptions, generateForest, generateTenant } from './index.ts';

const ORGANIZATIONS: readonly ForestOptions[] = [
  { users: 900, seed: 2, shape: 2 },
  { users: 900, seed: 5, shape: 3, domains: 4 },
  { users: 900, seed: 6, shape: 3, domains: 6 },
];

describe.each(ORGANIZATIONS)('an organization of %o', (options) => {
  it('has records with the members and properties of their types', () => {
    const faults = new Set<string>();
    let records = 0;
    for (const file of generateForest(options).files) {
      const [members, properties] = [RECORDS[file.type], PROPERTIES[file.type]];
      if (members === undefined || properties === undefined) throw new Error(`no table for ${file.type}`);
      for (const object of file.objects()) {
        records++;
        for (const fault of faultsOf(object, members, file.type)) faults.add(fault);
        for (const fault of faultsOf(object.Properties, properties, `${file.type}.Properties`))
          faults.add(fault);
        // Except in short records of well-known principals, collectors write all members.
        const isStub = object.Properties.reconcile === false;
        for (const member of Object.keys(members))
          if (!isStub && !(member in object)) faults.add(`${file.type}.${member} is missing`);
      }
    }
    expect([...faults]).toEqual([]);
    expect(records).toBeGreaterThan(2000);
  });

  it('has items of the kinds and members of its tenant, with ids in the case that the collector writes', () => {
    const { data } = JSON.parse([...generateTenant(options).file.text(() => {})].join(''));
    const faults = new Set<string>();
    for (const { kind, data: item, ...rest } of data) {
      expect(rest).toEqual({});
      const members = ITEMS[kind];
      if (members === undefined) faults.add(`no collector writes ${kind}`);
      else for (const fault of faultsOf(item, members, kind)) faults.add(fault);
    }
    expect([...faults]).toEqual([]);
  });
});

describe('the application of Microsoft Graph', () => {
  it.each([2, 3] as const)(
    'has the id that tools compare as text in every assignment (shape %i)',
    (shape) => {
      const { data } = JSON.parse(
        [...generateTenant({ users: 3000, seed: 22, shape }).file.text(() => {})].join(''),
      );
      const assignments = data.filter(({ kind }: { kind: string }) => kind === 'AZAppRoleAssignment');
      expect(assignments.length).toBeGreaterThan(10);
      for (const { data: item } of assignments)
        expect(item.appId).toBe('00000003-0000-0000-c000-000000000000');
    },
  );
});

describe('the table of formats', () => {
  it.each([
    [{ a: 1 }, { a: 'string' }, 1],
    [{ a: 'x', b: 1 }, { a: 'string' }, 1],
    [{ a: null }, { a: 'string|null' }, 0],
    [{ a: [{ b: 1 }, { b: '2' }] }, { a: [{ b: 'number' }] }, 1],
    [{ id: 'ab' }, { id: 'id' }, 1],
    [{ id: 'AB-1' }, { id: 'id' }, 0],
    [[], { a: 'string' }, 1],
  ] as const)('finds the faults of %o against %o: %i', (value, format, count) => {
    expect(faultsOf(value, format as never)).toHaveLength(count);
  });
});
