/** Changes for findings outside the plan: each type of finding has a script, or steps with the reason. */
import { FINDING_TYPES, remedyOf } from '@clew/analysis';
import { describe, expect, it } from 'vitest';
import { sampleFacts } from '../test/sampleFacts.ts';
import { isScripted } from './change.ts';
import { changeKit } from './changeKit.ts';
import { planOfFinding, valuesOfFinding, watchFinding } from './findingRemedies.ts';

const { object } = sampleFacts('clear-sid-history', { object: 'A', principal: 'B' });
const LISTS = FINDING_TYPES.flatMap((type) => (type.kind === 'list' ? [type] : []));
const remedyFor = (type: (typeof LISTS)[number]) => ({
  ...{ type: type.id, object, steps: remedyOf(type).steps },
});

describe('the change of a finding', () => {
  it('is a script for account settings, and for no other type', () => {
    const scripted = LISTS.filter((type) => isScripted(planOfFinding(remedyFor(type)))).map(({ id }) => id);
    expect(scripted.sort()).toEqual([
      'ASREPRoasting',
      'DESOnlyAccounts',
      'GuestEnabled',
      'NeverLoggedOnT0',
      'PasswordNeverExpires',
      'PasswordNotRequired',
      'ProtocolTransition',
      'ReversibleEncryption',
      'StaleComputers',
      'StaleUsers',
      'T0ASREPRoastable',
      'T0MarkSensitive',
      'T0PasswordNeverExpires',
      'T0StaleUsers',
    ]);
  });

  it('declares the property by which the finding was found', () => {
    for (const type of LISTS) {
      const values = valuesOfFinding(remedyFor(type));
      if (values.length === 0) continue;
      const [{ property, now, wanted }] = values as [(typeof values)[number]];
      expect([type.id, now]).toEqual([type.id, !wanted]);
      // Accounts out of use are found by their last logon.
      if (property !== 'enabled') expect([type.id, type.needs]).toEqual([type.id, [property]]);
    }
  });

  it('has steps and a reason otherwise', () => {
    const reasons = new Map<string, string[]>();
    for (const type of LISTS) {
      const plan = planOfFinding(remedyFor(type));
      if (isScripted(plan)) continue;
      expect([type.id, plan.steps.length]).not.toEqual([type.id, 0]);
      reasons.set(plan.why, [...(reasons.get(plan.why) ?? []), type.id]);
    }
    // Each reason in the table is about a type that exists.
    expect(reasons.size).toBe(7);
    for (const why of reasons.keys()) expect(why).toMatch(/^[A-Z].{15,}\.$/);
  });

  it('has no script for an object without a SID or domain, and says so', () => {
    const unknown = { ...object, sid: null, guid: null };
    const plan = planOfFinding({ type: 'ASREPRoasting', object: unknown, steps: ['Clear it.'] });
    expect(plan).toEqual({ why: 'The collection has no SID or GUID of the object.', steps: ['Clear it.'] });
  });

  it('is a kit that declares the value, with a detection rule until then', () => {
    const remedy = { type: 'ASREPRoasting', object, steps: ['Clear it.'] };
    const { files, changes } = changeKit([
      {
        facts: {
          ...{ id: 'remedy', kind: 'remedy', object, relations: [], removed: [] },
          ...{ values: valuesOfFinding(remedy), facts: {} },
        },
        ...{ title: 'A', change: 'B', check: 'C', risk: 'D', affected: null, remedy },
      },
    ]);
    const [declared] = JSON.parse(files.find(({ name }) => name === 'changes.json')?.text ?? '');
    expect(declared).toMatchObject({
      kind: 'remedy',
      values: [{ property: 'dontreqpreauth', now: true, wanted: false }],
      engine: 'Attribute',
      settings: { Attribute: 'userAccountControl', Operation: 'ClearBits', Number: 0x400000 },
    });
    expect(changes[0]?.script).toContain("Operation = 'ClearBits'");
    expect(changes[0]?.rules[0]?.sigma).toContain('PreAuthType:\n      - 0\n');
    expect(watchFinding({ ...remedy, type: 'DSHeuristicsWeak' }).rules).toEqual([]);
  });
});
