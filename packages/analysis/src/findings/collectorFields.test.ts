/** Checks that the table of fields and collectors is complete. */
import { COLLECTOR_FIELDS, COLLECTORS, isLeftOut, TENANT_FIELDS } from '@clew/model';
import { expect, it } from 'vitest';
import { requiredProperties } from '../analyze.ts';
import { RULES } from '../rules.ts';
import { FINDING_TYPES } from './types/catalog.ts';

const AZURE_RULES = RULES.filter(({ produces }) => produces.every((kind) => kind.startsWith('AZ')));
/** Fields of Entra ID only. */
const OF_TENANTS = new Set([
  ...requiredProperties(AZURE_RULES),
  ...requiredProperties().filter((key) => key.startsWith('enduserassignment') || key.startsWith('onprem')),
]);

it('has a row for each field that a finding or a rule reads, and no other', () => {
  const listed = FINDING_TYPES.flatMap((type) =>
    type.kind === 'list' && type.platform === 'ad'
      ? [...type.needs, ...(type.seenBy ? [type.seenBy] : [])]
      : [],
  );
  const read = new Set([...listed, ...requiredProperties().filter((key) => !OF_TENANTS.has(key))]);
  expect(COLLECTOR_FIELDS.map(({ field }) => field).filter((field) => !read.has(field))).toEqual([]);
  const known = new Set(COLLECTOR_FIELDS.map(({ field }) => field));
  expect([...read].filter((field) => !known.has(field)).sort()).toEqual([]);
  expect(known.size).toBe(COLLECTOR_FIELDS.length);
});

it('has no field that every collector is known to leave out, because no finding could ever come of it', () => {
  const unwritten = COLLECTOR_FIELDS.filter(({ said }) => said.every((one) => one === 'n'));
  expect(unwritten.map(({ field }) => field)).toEqual([]);
});

it('has a row for each field of tenants, which the reader of tenants fills', () => {
  const ofDomains = new Set(COLLECTOR_FIELDS.map(({ field }) => field));
  const needed = FINDING_TYPES.flatMap((type) =>
    type.kind === 'list' && type.platform === 'azure'
      ? [...type.needs, ...(type.reads?.nodeProperties ?? []).filter((field) => !ofDomains.has(field))]
      : [],
  );
  const read = new Set([...needed, ...OF_TENANTS]);
  expect([...TENANT_FIELDS].sort()).toEqual([...read].sort());
});

it('knows a field that few objects have as left out where all collectors that fit leave it out', () => {
  const written = (collector: string): ReadonlySet<string> => {
    const at = COLLECTORS.findIndex(([name]) => name === collector);
    return new Set(COLLECTOR_FIELDS.flatMap(({ field, said }) => (said[at] === 'n' ? [] : [field])));
  };
  const leaves = (collector: string, field: string): boolean => {
    const fields = written(collector);
    return isLeftOut(field, (name) => name !== field && fields.has(name));
  };
  expect(leaves('SharpHound', 'sfupassword')).toBe(false);
  expect(leaves('RustHound-CE', 'sfupassword')).toBe(true);
  expect(leaves('bofhound', 'logonscript')).toBe(true);
  expect(leaves('bofhound', 'userpassword')).toBe(false);
  // BloodHound.py and SOAPHound write the same account fields except this one, so they cannot be distinguished.
  expect(leaves('BloodHound.py', 'sfupassword')).toBe(false);
  expect(isLeftOut('sfupassword', () => false)).toBe(false);
});
