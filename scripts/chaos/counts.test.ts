import { expect, it } from 'vitest';
import { type Counts, faultsOf } from './counts.ts';

const WELL: Counts = {
  kept: { acknowledged: 9, failed: 1, extensions: 0, owners: 0, plans: 0, doubled: 0 },
  uploads: { acknowledged: 2, failed: 1 },
  objects: { acknowledged: 8, lost: 0, doubled: 0 },
  findings: { active: 4, wrong: 0, doubled: 0 },
  connector: { runs: 3, open: 4, wrong: 0, doubledEvents: 0 },
  webhooks: { events: 2, repeated: 1, deliveries: 2, undelivered: 0, opened: 6, resolved: 2, unnamed: 0 },
};

it('finds no fault in matching counts', () => {
  expect(faultsOf(WELL)).toEqual([]);
});

it.each([
  ['kept', 'extensions', '1 acknowledged versions of extensions are lost'],
  ['kept', 'owners', '1 acknowledged owners of findings are lost'],
  ['kept', 'plans', '1 acknowledged plans are lost'],
  ['kept', 'doubled', '1 plans or extensions are there twice'],
  ['objects', 'lost', '1 acknowledged objects are lost'],
  ['objects', 'doubled', '1 objects are there twice'],
  ['findings', 'wrong', '1 findings are not those of the last upload'],
  ['findings', 'doubled', '1 findings are there twice'],
  ['connector', 'wrong', '1 alerts of the connector do not match the active findings'],
  ['connector', 'doubledEvents', '1 events of the connector came twice'],
  ['webhooks', 'undelivered', '1 webhook events are not delivered'],
  ['webhooks', 'opened', '1 more findings by events than there are'],
  ['webhooks', 'unnamed', '1 active findings were named by no event'],
] as const)('reports %s that are %s', (part, name, text) => {
  const fields = WELL[part] as Readonly<Record<string, number>>;
  expect(faultsOf({ ...WELL, [part]: { ...fields, [name]: (fields[name] ?? 0) + 1 } })).toEqual([text]);
});

it('does not accept a run without findings as a proof', () => {
  const nothing = { ...WELL, findings: { ...WELL.findings, active: 0 } };
  expect(faultsOf({ ...nothing, webhooks: { ...WELL.webhooks, opened: 2 } })).toEqual([
    '1 no finding: nothing was shown',
  ]);
});
