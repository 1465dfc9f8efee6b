/** Changes for findings outside the plan: each type of finding has a script, or steps with the reason. */
import { FINDING_TYPES, remedyOf } from '@clew/analysis';
import { describe, expect, it } from 'vitest';
import { sampleFacts } from '../test/sampleFacts.ts';
import { isScripted } from './change.ts';
import { changeKit } from './changeKit.ts';
import { type AccountUse, planOfFinding, remedyInput, watchFinding } from './findingRemedies.ts';
import { FOR_SERVICES, REASONS, SETTINGS } from './findingTables.ts';
import { RULES_OF_USE, UNWATCHED } from './findingWatch.ts';
import { planOf } from './planOf.ts';
import { plain } from './readme.ts';

const { object } = sampleFacts('clear-sid-history', { object: 'A', principal: 'B' });
const LISTS = FINDING_TYPES.flatMap((type) => (type.kind === 'list' ? [type] : []));
const PERSON: AccountUse = { runsServices: false, isController: false, isOfTrust: false };
const remedyFor = (type: (typeof LISTS)[number], use = PERSON) => ({
  ...{ type: type.id, object, steps: remedyOf(type).steps, use },
});
const TEXTS = { title: 'A', change: 'B', check: 'C', risk: 'D' };
const typeNamed = (id: string) => LISTS.find((type) => type.id === id)!;

/** The kit of a finding as the service makes it. */
function kitFor(id: string, use = PERSON) {
  const type = typeNamed(id);
  const { fix, care } = remedyOf(type);
  const remedy = remedyFor(type, use);
  return changeKit([remedyInput(remedy, { title: 'A', change: fix, check: 'C', risk: care })]);
}
/** The comments of a script, with escapes read. */
const commentsOf = (script: string): string =>
  (script.match(/^# .*$/gm) ?? [])
    .join('\n')
    .replace(/\\u([\dA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

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
      const { values } = remedyInput(remedyFor(type), TEXTS).facts;
      if (values.length === 0) continue;
      const [{ property, now, wanted }] = values as [(typeof values)[number]];
      expect([type.id, now]).toEqual([type.id, !wanted]);
      // Accounts out of use are found by their last logon.
      if (property !== 'enabled') expect([type.id, type.needs]).toEqual([type.id, [property]]);
    }
  });

  it.each(Object.entries({ SETTINGS, FOR_SERVICES, REASONS, RULES_OF_USE, UNWATCHED }))(
    'has only types that exist in %s',
    (_, table) => {
      const ids = new Set(LISTS.map(({ id }) => id));
      expect([...table.keys()].filter((id) => !ids.has(id))).toEqual([]);
    },
  );

  it('has steps and a reason otherwise', () => {
    const reasons = new Set<string>();
    for (const type of LISTS) {
      const plan = planOfFinding(remedyFor(type));
      if (isScripted(plan)) continue;
      expect([type.id, plan.steps.length]).not.toEqual([type.id, 0]);
      reasons.add(plan.why);
    }
    for (const why of reasons) expect(why).toMatch(/^[A-Z].{15,}\.$/);
  });

  it('has no script for an object without a SID or domain, and says so', () => {
    const unknown = { ...object, sid: null, guid: null };
    const plan = planOfFinding({ type: 'ASREPRoasting', object: unknown, steps: ['Clear it.'], use: PERSON });
    expect(plan).toEqual({ why: 'The collection has no SID or GUID of the object.', steps: ['Clear it.'] });
  });

  it('shows all steps and side effects next to the script, in both of its forms and in the readme', () => {
    const scripted = LISTS.filter((type) => isScripted(planOfFinding(remedyFor(type))));
    for (const type of scripted) {
      const { steps, care } = remedyOf(type);
      const { files, changes } = kitFor(type.id);
      const [readme, , script] = files;
      for (const text of [script?.text ?? '', changes[0]?.script ?? '']) {
        expect(text).toMatch(/^[\n -~]*$/);
        for (const sentence of [care, ...steps]) expect(commentsOf(text)).toContain(sentence);
      }
      for (const sentence of [care, ...steps]) expect(readme?.text).toContain(plain(sentence));
    }
    const comments = (id: string): string => commentsOf(kitFor(id).changes[0]?.script ?? '');
    expect(comments('ASREPRoasting')).toContain('Reset the password');
    expect(comments('NeverLoggedOnT0')).toMatch(/Ask the owner[\s\S]*Keep break-glass accounts exempt/);
  });

  it('puts the new password before clearing what keeps an old one valid, and has no script for services', () => {
    for (const id of ['PasswordNeverExpires', 'T0PasswordNeverExpires']) {
      const { steps, care } = remedyOf(typeNamed(id));
      const places = ['Set a new password', 'Clear the setting'].map((text) =>
        steps.findIndex((step) => step.startsWith(text)),
      );
      expect(places).toEqual([1, 2]);
      expect(care).toContain('expires as soon as the setting is cleared');
    }
    for (const id of ['PasswordNeverExpires', 'T0PasswordNeverExpires', 'DESOnlyAccounts'])
      for (const runsServices of [true, null])
        expect(planOfFinding(remedyFor(typeNamed(id), { ...PERSON, runsServices }))).toMatchObject({
          why: expect.stringContaining('has a service principal name'),
          steps: remedyOf(typeNamed(id)).steps,
        });
  });

  it('disables no domain controller, and changes no account of a trust', () => {
    const controller = { ...PERSON, isController: true };
    const ofTrust = { ...PERSON, isOfTrust: true };
    expect(planOfFinding(remedyFor(typeNamed('StaleComputers'), controller))).toMatchObject({
      why: expect.stringContaining('domain controller'),
    });
    expect(planOfFinding(remedyFor(typeNamed('PasswordNotRequired'), ofTrust))).toMatchObject({
      why: expect.stringContaining('trust'),
    });
  });

  it('states the privilege for the bits of delegation, and for no other', () => {
    for (const type of LISTS) {
      const plan = planOfFinding(remedyFor(type));
      if (isScripted(plan))
        expect([type.id, plan.needs.includes('SeEnableDelegationPrivilege')]).toEqual([
          type.id,
          type.id === 'ProtocolTransition',
        ]);
    }
    const relations = ['CoerceToTGT'] as const;
    expect(
      planOf({ ...sampleFacts('remove-delegation', { object: 'A', principal: 'B' }), relations }),
    ).toMatchObject({
      needs: expect.stringMatching(/^write userAccountControl.*SeEnableDelegationPrivilege/),
    });
  });

  it('is a kit that declares the value, with a detection rule until then', () => {
    const remedy = { type: 'ASREPRoasting', object, steps: ['Clear it.'], use: PERSON };
    const { files, changes } = changeKit([remedyInput(remedy, TEXTS)]);
    const [declared] = JSON.parse(files.find(({ name }) => name === 'changes.json')?.text ?? '');
    expect(declared).toMatchObject({
      kind: 'remedy',
      values: [{ property: 'dontreqpreauth', now: true, wanted: false }],
      engine: 'Attribute',
      settings: { Attribute: 'userAccountControl', Operation: 'ClearBits', Number: 0x400000 },
    });
    expect(changes[0]?.script).toContain("Operation = 'ClearBits'");
    expect(changes[0]?.rules[0]?.sigma).toContain('PreAuthType:\n      - 0\n');
  });
});

describe('the detection rule of a finding', () => {
  const { sid } = object;
  const TICKET = { EventID: [4768], TargetSid: [sid] };
  const EXPECTED: Readonly<Record<string, object>> = {
    ASREPRoasting: { ...TICKET, PreAuthType: [0] },
    T0ASREPRoastable: { ...TICKET, PreAuthType: [0] },
    Kerberoasting: { EventID: [4769], ServiceSid: [sid], TicketEncryptionType: ['0x17'] },
    T0Kerberoastable: { EventID: [4769], ServiceSid: [sid], TicketEncryptionType: ['0x17'] },
    ...{ StaleUsers: TICKET, StaleComputers: TICKET, T0StaleUsers: TICKET, NeverLoggedOnT0: TICKET },
    // Guest logs on by NTLM, which gets no ticket.
    GuestEnabled: { EventID: [4624], TargetUserSid: [sid] },
  };

  it('is about the event of its use, and all other types have a reason', () => {
    const found = new Map<string, object>();
    for (const type of LISTS) {
      const { rules, unwatched } = watchFinding(remedyFor(type));
      expect([type.id, rules.length + unwatched.length]).toEqual([type.id, 1]);
      for (const { fields } of rules) found.set(type.id, fields);
    }
    expect(Object.fromEntries(found)).toEqual(EXPECTED);
  });

  it('does not exist where each normal use has the same event, or without a SID', () => {
    const unwatchedOf = (type: string, sid = object.sid) =>
      watchFinding({ type, object: { ...object, sid } }).unwatched;
    expect(unwatchedOf('KerberoastingWeakEncryption')).toEqual([
      expect.stringMatching(/^Every service ticket for the account has weak encryption/),
    ]);
    expect(unwatchedOf('DSHeuristicsWeak')).toEqual([expect.stringMatching(/^No security log event/)]);
    expect(unwatchedOf('GuestEnabled', null)).toEqual(['The collection has no SID of the account.']);
  });
});
