/**
 * Texts that administrators follow literally: if a change can cause an outage, its text states what may stop and how to prepare,
 * and no text is harmful or false.
 */

import { FINDING_TYPES } from '@clew/analysis';
import { FINDING_FAMILIES } from '@clew/analysis/testing';
import { describe, expect, it } from 'vitest';
import { DEFAULT_COSTS, type RepairKind } from './repairKinds.ts';
import { repairText } from './repairTexts.ts';
import type { RepairNames } from './repairTextTypes.ts';

/** Changes that can interrupt a working service. All others restore a default of a service, or remove a right of an owner. */
const CAN_CAUSE_OUTAGE: Readonly<Record<RepairKind, boolean>> = {
  'template-subject': true,
  'template-approval': true,
  'template-security-extension': false,
  'authority-san-flag': true,
  'authority-web-enrollment': true,
  'authority-rpc-encryption': true,
  'authority-extensions': false,
  'controllers-certificate-binding': true,
  'controllers-certificate-mapping': true,
  'controllers-ldap-signing': true,
  'controllers-channel-binding': true,
  'controllers-netlogon-exceptions': true,
  'computer-smb-signing': true,
  'domain-smb-signing': true,
  'domain-computer-quota': true,
  'remove-permission': true,
  'change-owner': false,
  'remove-enrollment': true,
  'unpublish-template': true,
  'remove-member': true,
  'remove-local-member': true,
  'remove-policy-member': true,
  'remove-logon-right': true,
  'keep-off': true,
  'separate-logons': true,
  'unlink-policy': true,
  'move-object': true,
  'remove-delegation': true,
  'clear-sid-history': true,
  'filter-trust': true,
  'protect-host': true,
  'remove-role': true,
  unsynchronize: true,
  'remove-relation': true,
};

const NAMES: RepairNames = {
  ...{ object: 'OBJECT', objectKind: 'Computer', principal: 'HOLDER', relations: ['GenericAll'] },
  ...{ isInherited: false, inheritedFrom: '' },
};

/** Variants of one kind of repair with different texts. */
const VARIANTS: Readonly<Partial<Record<RepairKind, readonly Partial<RepairNames>[]>>> = {
  'remove-permission': [
    { relations: ['ManageCA'], authority: { isRegistryRead: true, dangerousTemplates: 3 } },
    { relations: ['ReadGMSAPassword'] },
    { relations: ['ReadGMSAPassword'], isObjectDisabled: true },
    { isInherited: true },
    { protection: 'copied' },
    { protection: 'own' },
    { protection: 'unknown' },
    { relations: ['Enroll'], authority: { isRegistryRead: true, dangerousTemplates: 3 } },
    { relations: ['Enroll'], authority: { isRegistryRead: false, dangerousTemplates: 0 } },
  ],
  'remove-enrollment': [{ relations: ['Enroll'], isGroup: true }, { relations: ['GenericWrite'] }],
  'remove-delegation': ['CoerceToTGT', 'AllowedToDelegate', 'AllowedToAct'].map((relation) => ({
    relations: [relation],
  })),
  'remove-relation': [{ relations: ['AZRoleApprover'] }],
};

const textsOf = (kind: RepairKind) =>
  [{}, ...(VARIANTS[kind] ?? [])].map((other) => repairText(kind, { ...NAMES, ...other }));
const KINDS = Object.keys(DEFAULT_COSTS) as RepairKind[];

/** Words that indicate preparations. */
const BEFORE = /\b(first|before|begin with|start with)\b/i;
/** Words that indicate outages. */
const BREAKS =
  /\b(stops?|fails?|loses?|no longer|ends?|end|deleted|keeps everyone out|wait|need another|lock|break)\b/i;

/** Phrases of earlier texts that are false or harmful. */
const HARMFUL: readonly RegExp[] = [
  // Each computer's own Administrators group also belongs to Tier Zero.
  /den(y|ied)[^.]*\bgroups of Tier Zero\b/i,
  /deny[^.]*\bTier Zero groups\b/i,
  /(?<!never (name|add) )\bAdministrators\b[^.]*"Deny log on/i,
  /Everyone is a member of/,
  /cannot be moved: change its rights/,
  // The second reset invalidates all tickets unless the first ones have expired.
  /krbtgt[^.]*\btwice\b(?![^.]*between)/i,
  /the effects are small/i,
  // Protected groups are privileged, and access lists of templates control enrollment.
  /make them members of a protected group/i,
  /reset the permissions of the template/i,
];

const findingTexts = (): [string, string][] => [
  ...FINDING_FAMILIES.map((family): [string, string] => [family.key, JSON.stringify(family)]),
  ...FINDING_TYPES.map((type): [string, string] => [
    type.id,
    JSON.stringify('remedy' in type ? type.remedy : {}),
  ]),
];

describe('the texts of a repair that can cause an outage', () => {
  it.each(KINDS.filter((kind) => CAN_CAUSE_OUTAGE[kind]))(
    '%s says what may break, and what to do before',
    (kind) => {
      for (const { change, risk } of textsOf(kind)) {
        expect(`${risk} ${change}`).toMatch(BEFORE);
        expect(risk).toMatch(BREAKS);
      }
    },
  );

  it('never tells to deny logon to Administrators, and names groups and an emergency account', () => {
    const [{ change, risk }] = textsOf('separate-logons') as [ReturnType<typeof repairText>];
    for (const group of ['Domain Admins', 'Enterprise Admins', 'Schema Admins'])
      expect(change).toContain(group);
    expect(change).toContain('Never add Administrators');
    expect(change).toContain('Do not link the policy to domain controllers');
    expect(risk).toContain('emergency account (-Exempt of the script');
  });

  it('says what ends with Enroll at an authority, which list counts, and what can be done instead', () => {
    const [read, unread] = textsOf('remove-permission').slice(-2);
    for (const text of [read, unread]) {
      expect(text?.risk).toContain('including autoenrollment of users, computers and domain controllers');
      expect(text?.change).toMatch(/^First grant .* including Domain Controllers/);
      expect(text?.risk).toContain('Issued certificates stay valid');
    }
    expect(read?.change).toContain('its own list counts');
    expect(read?.change).toContain('delete the 3 published templates');
    expect(unread?.change).toContain('was not collected');
  });

  it('takes a reader of a managed password out of its list, which is not the access list', () => {
    const text = repairText('remove-permission', { ...NAMES, relations: ['ReadGMSAPassword'] });
    expect(text.change).toMatch(/msDS-GroupMSAMembership.*name all that stay/s);
    expect(text.change).not.toContain('access list');
    expect(text.risk).toContain('stop at the next restart');
  });

  it('changes a protected object at AdminSDHolder, not at a container', () => {
    for (const protection of ['copied', 'own', 'unknown'] as const) {
      const text = repairText('remove-permission', { ...NAMES, protection, isInherited: true });
      expect(text.change).toMatch(/inheritance is off/i);
      expect(text.change).not.toContain('container above OBJECT');
      expect(/from the access control list of (\w+)/.exec(text.change)?.[1]).toBe(
        protection === 'copied' ? 'AdminSDHolder' : protection === 'own' ? 'OBJECT' : undefined,
      );
    }
  });
});

/** The advice of these types removes no access. */
const CANNOT_CAUSE_OUTAGE: ReadonlySet<string> = new Set(['collectionGaps']);

describe('the advice of a family of findings', () => {
  it.each(
    FINDING_FAMILIES.filter(({ key }) => !CANNOT_CAUSE_OUTAGE.has(key)).map((one) => [one.key, one] as const),
  )('%s says what may break, and what to do before', (_, { fix, steps, care }) => {
    expect(care).toMatch(BREAKS);
    expect([fix, ...steps, care].join(' ')).toMatch(BEFORE);
  });
});

describe('texts of repairs and findings', () => {
  it('have no phrase that is false or does harm', () => {
    const all = [
      ...KINDS.flatMap((kind) =>
        textsOf(kind).map((text): [string, string] => [kind, Object.values(text).join(' ')]),
      ),
      ...findingTexts(),
    ];
    expect(all.length).toBeGreaterThan(250);
    for (const [name, text] of all)
      for (const phrase of HARMFUL) expect(phrase.test(text) ? `${name}: ${phrase}` : '').toBe('');
  });

  it('would find each of these phrases', () => {
    const told = [
      'deny the groups of Tier Zero of CORP to log on',
      'deny log on to the Tier Zero groups of CORP',
      'add Administrators to "Deny log on locally"',
      'Everyone is a member of DOMAIN COMPUTERS',
      'X is stored there, and cannot be moved: change its rights.',
      'Reset the password of krbtgt twice.',
      'The effects are small; delegated teams regain rights.',
      'Where it suits, make them members of a protected group.',
      'Reset the permissions of the template to the administrators.',
    ];
    for (const [at, phrase] of HARMFUL.entries())
      expect(
        told.some((text) => phrase.test(text)),
        `${at}`,
      ).toBe(true);
  });
});
