import { EDGE_KINDS } from '@clew/model';
import { describe, expect, test } from 'vitest';
import { FINDING_FAMILIES } from '../../../test/findings/families.ts';
import { builtInTypeById, FINDING_TYPES, RELATIONSHIP_FINDINGS, RETIRED_FINDINGS } from './catalog.ts';
import { alsoFoundAs } from './overlaps.ts';
import { FINDING_TEXTS, type FindingText, findingText, remedyOf } from './texts.ts';

/** Traversable edges that no finding reports, with the reason. Source: `docs/findings.md#coverage`. */
const WITHOUT_FINDING: Readonly<Record<string, string>> = {
  AZGrant: 'produced by nothing',
  AZGrantSelf: 'produced by nothing',
  PropagatesACEsTo: 'experimental',
  CanApplyGPO: 'experimental',
  CanBackup: 'experimental',
  CanReanimateTombstone: 'experimental',
  CanUseBadSuccessor: 'experimental',
};

const LENGTHS: Readonly<Record<FindingText, readonly [least: number, most: number]>> = {
  title: [10, 90],
  type: [4, 60],
  short_description: [80, 500],
  long_description: [300, 3000],
  short_remediation: [30, 300],
  long_remediation: [600, 5000],
  references: [30, 1000],
};

describe('the catalog of findings', () => {
  test('has ids that are unique, safe in URLs and not taken by retired findings', () => {
    const ids = FINDING_TYPES.map((type) => type.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]+$/);
    for (const id of RETIRED_FINDINGS) expect(builtInTypeById(id)).toBeUndefined();
    expect(RETIRED_FINDINGS).toHaveLength(17);
  });

  test('reports every traversable edge that can cross into a zone', () => {
    const reported = new Set<string>(
      RELATIONSHIP_FINDINGS.filter((type) => !type.boundary.startsWith('large')).flatMap(
        (type) => type.edges,
      ),
    );
    const missing = EDGE_KINDS.filter((kind) => kind.traversable && !reported.has(kind.name)).map(
      (kind) => kind.name,
    );
    expect(missing.sort()).toEqual(Object.keys(WITHOUT_FINDING).sort());
  });

  test('reports each edge once at a zone boundary', () => {
    const edges = RELATIONSHIP_FINDINGS.filter((type) => !type.boundary.startsWith('large')).flatMap(
      (type) => type.edges,
    );
    expect(new Set(edges).size).toBe(edges.length);
  });

  test('uses every family, and each has a name of its own', () => {
    const used = new Set(FINDING_TYPES.map(({ family }) => family));
    expect(new Set(FINDING_FAMILIES)).toEqual(used);
    expect(new Set(FINDING_FAMILIES.map(({ key }) => key)).size).toBe(used.size);
  });
});

describe('the texts of a finding', () => {
  test.each(FINDING_TYPES)('$id are whole: none missing, too short or too long', (type) => {
    for (const name of FINDING_TEXTS) {
      const text = findingText(type, name);
      const [least, most] = LENGTHS[name];
      expect([name, text.length, text.length >= least && text.length <= most]).toEqual([
        name,
        text.length,
        true,
      ]);
      expect(text).not.toMatch(/\b(TODO|TBD|FIXME|lorem|placeholder)\b/i);
    }
    expect(type.what).toMatch(/^[A-Z].*\.$/);
    expect(findingText(type, 'short_remediation')).toMatch(/^[A-Z].*\.$/);
  });

  test('of different types describe different findings', () => {
    const said = FINDING_TYPES.map((type) => type.what);
    expect(said.filter((text, at) => said.indexOf(text) !== at)).toEqual([]);
  });

  test('of different families are not shared word for word', () => {
    const sentences = new Map<string, string>();
    for (const family of FINDING_FAMILIES) {
      const own = [family.risk, family.fix, family.care, family.prevent, ...family.steps];
      for (const sentence of own) {
        expect([family.key, sentences.get(sentence)]).toEqual([family.key, undefined]);
        sentences.set(sentence, family.key);
      }
    }
  });

  test('say what to do about the type, where the words of its family do not fit', () => {
    const sentences = new Map<string, string>();
    for (const { key, risk, fix, steps, care, prevent } of FINDING_FAMILIES) {
      for (const sentence of [risk, fix, care, prevent, ...steps]) sentences.set(sentence, key);
    }
    for (const type of FINDING_TYPES) {
      const { id, remedy } = type;
      if (remedy === undefined) continue;
      expect([id, Object.keys(remedy).length]).not.toEqual([id, 0]);
      // Each text is written once: a remedy must not repeat texts of its family.
      for (const sentence of [remedy.risk, remedy.fix, ...(remedy.steps ?? [])]) {
        if (sentence === undefined) continue;
        expect([id, sentence, sentences.get(sentence)]).toEqual([id, sentence, undefined]);
      }
      expect(remedyOf(type)).toMatchObject(remedy);
      expect(remedyOf(type).verify.length).toBeGreaterThan(0);
    }
  });

  test.each([
    ['SingleDomainController', 'domain controller', 'quota'],
    ['CircularMembership', 'membership', 'operator'],
    ['NonDefaultPrimaryGroup', 'primaryGroupID', 'operator'],
    ['LDAPSigningNotCollected', 'LdapServices', 'turned off'],
    ['ControllerRegistryNotCollected', 'DCRegistry', 'turned off'],
    ['AuthorityRegistryNotCollected', 'CARegistry', 'turned off'],
    ['DSHeuristicsWeak', 'dSHeuristics', 'quota'],
    ['NameConflicts', 'CNF:', 'break-glass'],
    ['ControllerOldPassword', 'DisablePasswordChange', 'a second time'],
    ['SmartCardPasswordOld', 'smart card', 'together with the owner'],
    ['TemplateESC15', 'CVE-2024-49019', 'restrict enrollment agents'],
    ['TemplateESC15', 'duplicate it', 'extended key usages'],
    ['TemplateESC2', 'edit Application Policies', 'Subject Name'],
    ['TemplateAgentOpen', 'Enrollment Agents tab', 'Subject Name'],
    ['CAWebEnrollmentRelay', 'Extended Protection to "Required"', 'LDAP'],
    ['CAWebEnrollmentRelay', 'remove the role services', 'WebClient'],
    ['NestedForeignPrincipals', 'create an account in this forest', 'schema'],
    ['T0MemberOf', 'does not need the privileges', 'schema'],
    ['T0WriteGPLink', 'gPLink', 'Export and delete'],
    ['T0GPLink', 'SYSVOL', 'Export and delete'],
    ['T0Contains', 'certify', 'Export and delete'],
    ['GPOOwnedOutside', 'owner', 'Export and delete'],
    ['T0WriteAccountRestrictions', 'Account Restrictions', 'quota'],
    ['T0AddAllowedToAct', 'msDS-AllowedToActOnBehalfOfOtherIdentity', 'quota'],
    ['T0AllowedToDelegate', 'msDS-AllowedToDelegateTo', 'quota'],
    ['ProtocolTransition', 'Use Kerberos only', 'quota'],
    ['TrustWithoutSIDFiltering', 'SID filtering', 'AES'],
    ['T0SpoofSIDHistory', 'SID filtering', 'AES'],
    ['TrustWithTGTDelegation', 'ticket delegation', 'AES'],
    ['T0AbuseTGTDelegation', 'ticket delegation', 'AES'],
    ['RC4Trusts', 'AES', 'ticket delegation'],
    ['T0SyncLAPSPassword', 'In Filtered Set', 'krbtgt'],
    ['T0ReadLAPS', 'Find-LapsADExtendedRights', 'group managed'],
    ['T0ReadGMSA', 'PrincipalsAllowedToRetrieveManagedPassword', 'LAPS'],
    ['T0DumpSMSA', 'Uninstall-ADServiceAccount', 'LAPS'],
    ['T0RDP', 'Remote Desktop Users', 'sysadmin'],
    ['T0PSRemote', 'Remote Management Users', 'sysadmin'],
    ['T0SQLAdmin', 'sysadmin', 'Remote Desktop'],
    ['AzureT0MemberOf', 'Privileged Identity Management', 'schema'],
    ['AzureADSSOKeyAge', 'New-AzureADSSOAuthenticationContext', 'krbtgt'],
    ['AzureADSSOKeyAge', 'not in Protected Users', 'krbtgt'],
  ])('of %s have steps about it, not about the other findings of its family', (id, about, notAbout) => {
    const steps = remedyOf(builtInTypeById(id)!).steps.join(' ');
    expect(steps.toLowerCase()).toContain(about.toLowerCase());
    expect(steps).not.toContain(notAbout);
  });

  test.each(['TemplateESC2', 'TemplateESC15', 'TemplateAgentOpen', 'CAWebEnrollmentRelay'])(
    'of %s have a verification and side effects of the type, not those of its family',
    (id) => {
      const type = builtInTypeById(id)!;
      const { verify, care } = remedyOf(type);
      expect(verify).not.toEqual(type.family.verify);
      expect(care).not.toBe(type.family.care);
    },
  );

  test.each([
    ['T0WriteGPLink', 'no longer apply'],
    ['GPOOwnedOutside', 'no longer apply'],
    ['T0WriteAccountRestrictions', 'SQL Server'],
    ['T0AddAllowedToAct', 'SQL Server'],
    ['NestedForeignPrincipals', 'print'],
    ['T0MemberOf', 'print'],
    ['T0HasTrustKeys', 'SID history'],
    ['T0SyncLAPSPassword', 'Hybrid'],
    ['T0AddKeyCredentialLink', 'Exchange'],
  ])('of %s have no side effects that only other findings of its family have', (id, notAbout) => {
    expect(remedyOf(builtInTypeById(id)!).care).not.toContain(notAbout);
  });

  test('never offer an eligible role as a repair that ends a path', () => {
    for (const type of FINDING_TYPES.filter(({ kind }) => kind === 'relationship')) {
      const { fix, steps } = remedyOf(type);
      for (const sentence of [fix, ...steps].filter((one) => /\beligible\b/.test(one)))
        expect([type.id, sentence]).toEqual([
          type.id,
          expect.stringMatching(/leaves the path|active and eligible/),
        ]);
    }
  });

  test('of settings differ in what to do, but for one setting in two scopes', () => {
    const lists = FINDING_TYPES.filter((type) => type.kind === 'list');
    for (const [fix, types] of Map.groupBy(lists, (type) => findingText(type, 'short_remediation'))) {
      const [first, ...others] = types;
      const related = alsoFoundAs(first);
      expect([fix, others.filter((type) => !related.includes(type)).map(({ id }) => id)]).toEqual([fix, []]);
    }
  });

  test('name the other findings that the same cause makes, and these name it', () => {
    for (const type of FINDING_TYPES) {
      for (const other of alsoFoundAs(type)) {
        expect(findingText(type, 'long_description')).toContain(`(\`${other.id}\`)`);
        expect(alsoFoundAs(other)).toContain(type);
      }
      expect(alsoFoundAs(type)).not.toContain(type);
    }
    const ids = (id: string) => alsoFoundAs(builtInTypeById(id)!).map((type) => type.id);
    expect(ids('Kerberoasting')).toEqual(['T0Kerberoastable', 'KerberoastingWeakEncryption']);
    expect(ids('T0AddMember')).toEqual(['LargeDefaultGroupsAddMember']);
  });

  test('say how the severity is found', () => {
    const rating = (id: string) =>
      findingText(builtInTypeById(id)!, 'long_description').split('## How it is rated')[1];
    expect(rating('Kerberoasting')).toContain('never below low');
    expect(rating('T0MarkSensitive')).toContain('low, or moderate if the impact is 40 percent');
    expect(rating('StaleUsers')).toContain('always low');
    expect(rating('T0OldPassword')).toContain('always moderate');
    expect(rating('T0Owns')).toContain('follows from the exposure');
    expect(rating('LargeDefaultGroupsOwns')).toContain('follows from the impact');
  });

  test('are about the zone they are asked for', () => {
    const type = builtInTypeById('T0GenericAll')!;
    expect(findingText(type, 'short_description', 'Payments')).toContain('outside Payments');
    expect(findingText(type, 'short_description', 'Payments')).not.toContain('Tier Zero');
    expect(findingText(type, 'short_description')).toContain('outside Tier Zero');
    const articles = (zone: string) => findingText(type, 'long_description', zone).match(/\ban? \w+ object/g);
    expect([articles('Payments'), articles('Accounts')]).toEqual([
      ['a Payments object'],
      ['an Accounts object'],
    ]);
    const [listed, large] = ['Kerberoasting', 'LargeDefaultGroupsGenericAll'].map(
      (id) => builtInTypeById(id)!,
    );
    for (const name of FINDING_TEXTS)
      for (const one of [listed, large])
        expect(findingText(one, name, 'Payments')).toBe(findingText(one, name));
  });

  test('cite public pages over https', () => {
    for (const family of FINDING_FAMILIES) {
      expect(family.references.length).toBeGreaterThan(0);
      for (const { url } of family.references) expect(new URL(url).protocol).toBe('https:');
    }
  });
});

describe('rights of large default groups', () => {
  const of = (id: string) => findingText(builtInTypeById(id)!, 'long_remediation');
  const REMOVAL = 'Remove the access control entry of the broad group';

  test.each([
    ['RDP', 'Remote Desktop Users'],
    ['Admins', 'Administrators'],
    ['PSRemote', 'Remote Management Users'],
    ['DCOM', 'Distributed COM Users'],
  ])('are removed from a local group for %s', (right, group) => {
    const text = of(`LargeDefaultGroups${right}`);
    expect(text).toContain(`the local group ${group} of the computer`);
    expect(text).not.toContain(REMOVAL);
  });

  test.each(['GenericAll', 'WriteDacl', 'ReadLAPS'])('are removed as an entry for %s', (right) => {
    expect(of(`LargeDefaultGroups${right}`)).toContain(REMOVAL);
  });

  test('are not said to be rights of guests, which Domain Users and Authenticated Users do not contain', () => {
    for (const type of FINDING_TYPES)
      expect(findingText(type, 'long_description')).not.toMatch(/every account has|even a guest/);
  });
});
