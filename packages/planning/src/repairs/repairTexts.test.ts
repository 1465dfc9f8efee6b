/** Texts of repairs with random facts: they name the holder and the right, and make no false statements. */
import { EDGE_KINDS } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAzureRight } from './cloudRights.ts';
import { DEFAULT_COSTS, type RepairKind } from './repairKinds.ts';
import { repairText } from './repairTexts.ts';
import type { RepairNames } from './repairTextTypes.ts';

/** They are derived from permissions of applications, which have separate texts. */
const DERIVED_RIGHTS: ReadonlySet<string> = new Set([
  ...['AZMGAddMember', 'AZMGAddOwner', 'AZMGAddSecret', 'AZMGGrantAppRoles', 'AZMGGrantRole'],
]);

const KINDS = Object.keys(DEFAULT_COSTS) as RepairKind[];
const NO_PRINCIPAL = (kind: RepairKind): boolean =>
  /^(template-|authority-|controllers-|computer-|domain-|separate-)/.test(kind);
const RELATIONS: Readonly<Partial<Record<RepairKind, readonly string[]>>> = {
  'remove-permission': ['GenericAll', 'WriteDacl', 'ForceChangePassword', 'GetChanges'],
  'remove-enrollment': ['Enroll', 'GenericAll', 'AllExtendedRights'],
  'remove-relation': ['AZAddMembers', 'SQLAdmin'],
  'remove-delegation': ['CoerceToTGT', 'AllowedToDelegate', 'AllowedToAct'],
};

const name = (prefix: string) =>
  fc.stringMatching(/^[A-Z0-9]{4,10}$/).map((text) => `${prefix}_${text}@CORP.EXAMPLE`);
const facts = fc.record({
  kind: fc.constantFrom(...KINDS),
  object: name('OBJ'),
  principal: name('WHO'),
  objectKind: fc.constantFrom('User', 'Computer', 'Group'),
  relation: fc.nat(),
});

function namesOf({
  kind,
  object,
  principal,
  objectKind,
  relation,
}: typeof facts extends fc.Arbitrary<infer T> ? T : never): RepairNames {
  const relations = RELATIONS[kind];
  return {
    ...{ object, objectKind, isInherited: false, inheritedFrom: '' },
    principal: NO_PRINCIPAL(kind) ? '' : principal,
    relations: relations === undefined ? [] : [relations[relation % relations.length]],
  };
}

describe('the text of a repair', () => {
  it('names its object or its principal, and no one else', () => {
    fc.assert(
      fc.property(facts, (fact) => {
        const names = namesOf(fact);
        const text = Object.values(repairText(fact.kind, names)).join('\n');
        expect(text).toMatch(/OBJ_|WHO_/);
        for (const [found] of text.matchAll(/(?:OBJ|WHO)_[A-Z0-9]+@CORP\.EXAMPLE/g))
          expect([names.object, names.principal]).toContain(found);
        expect(text).not.toMatch(/undefined|\[object|\( *\)| {2}/);
        if (names.principal === '') expect(text).not.toContain('WHO_');
      }),
      { numRuns: 500 },
    );
  });

  it('names the right that is removed, and from whom', () => {
    fc.assert(
      fc.property(facts, (fact) => {
        if (!['remove-permission', 'remove-enrollment'].includes(fact.kind)) return;
        const names = namesOf(fact);
        const { title } = repairText(fact.kind, names);
        for (const part of [names.object, names.principal, ...names.relations]) expect(title).toContain(part);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['Enroll', true, 'Members of WHO who use this certificate can no longer get or renew it'],
    ['GenericAll', true, 'Members of WHO who use this certificate can no longer get or renew it'],
    ['Enroll', false, 'WHO can no longer get or renew this certificate'],
    ['GenericWrite', true, 'Everything that WHO does with this right stops'],
    ['WritePKINameFlag', false, 'Everything that WHO does with this right stops'],
  ])('speaks of enrollment only where a template loses it: %s, of a group: %s', (relation, isGroup, said) => {
    const { change, risk } = repairText('remove-enrollment', {
      ...{ object: 'T', principal: 'WHO', isGroup, objectKind: 'CertTemplate', relations: [relation] },
      ...{ isInherited: false, inheritedFrom: '' },
    });
    expect(risk.startsWith(said)).toBe(true);
    const isEnrollment = said.includes('renew');
    expect(/grant Enroll/.test(change)).toBe(isEnrollment);
    expect(/Members of|grant Enroll/.test(risk)).toBe(isEnrollment);
  });

  it('says of each right to replicate that password hash synchronization stops, and of no other right', () => {
    const riskOf = (relation: string) =>
      repairText('remove-permission', {
        ...{ object: 'D', principal: 'SYNC', objectKind: 'Domain', relations: [relation] },
        ...{ isInherited: false, inheritedFrom: '' },
      }).risk;
    for (const right of ['GetChanges', 'GetChangesAll', 'GetChangesInFilteredSet'])
      expect(riskOf(right)).toMatch(
        /^Everything that replicates .* as SYNC stops, such as password hash sync.*keep/,
      );
    expect(riskOf('WriteDacl')).not.toContain('password hash');
  });

  it('says of readers of a disabled managed account that no service runs as it', () => {
    const riskOf = (isObjectDisabled: boolean) =>
      repairText('remove-permission', {
        ...{ object: 'OFF', principal: 'HOSTS', objectKind: 'User', relations: ['ReadGMSAPassword'] },
        ...{ isInherited: false, inheritedFrom: '', isObjectDisabled },
      }).risk;
    expect(riskOf(true)).toContain('No service runs as OFF while it is disabled');
    expect(riskOf(false)).toContain('stop at the next restart');
  });

  it('says of an entry that another entry of the same principal may stay', () => {
    const { check } = repairText('remove-permission', {
      ...{ object: 'D', principal: 'SYNC', objectKind: 'Domain', relations: ['GetChanges'] },
      ...{ isInherited: false, inheritedFrom: '' },
    });
    expect(check).toContain('no longer contains an entry of SYNC with GetChanges,');
  });

  it.each([
    ['ManageCA', '"Manage CA"'],
    ['ManageCertificates', '"Issue and Manage Certificates"'],
  ])(
    'names the console for %s, which the list of the CA in the directory does not contain',
    (relation, role) => {
      const textOf = (relations: readonly string[]) =>
        repairText('remove-permission', {
          ...{ object: 'CA', principal: 'HELP', objectKind: 'EnterpriseCA', relations },
          ...{ isInherited: false, inheritedFrom: '' },
          authority: { isRegistryRead: true, dangerousTemplates: 0 },
        });
      const { change, check } = textOf([relation]);
      expect(change).toContain(
        `in the Certification Authority console, and on the Security tab, clear ${role} of HELP`,
      );
      expect(check).toContain(`no longer grants HELP ${role}`);
      expect(check).not.toContain('no longer contains HELP');
      expect(textOf(['WriteDacl']).change).toContain('from the access control list of CA');
    },
  );

  it('names an assignment of the cloud as its administrators do, and no kind of relationship in a title', () => {
    const textOf = (kind: RepairKind, relation: string) =>
      repairText(kind, {
        ...{ object: 'OBJ', principal: 'WHO', objectKind: 'AZApp', relations: [relation] },
        ...{ isInherited: false, inheritedFrom: '' },
      });
    const titleOf = (relation: string): string => textOf('remove-relation', relation).title;
    expect(titleOf('AZMGRoleManagement_ReadWrite_Directory')).toBe(
      'Remove the permission RoleManagement.ReadWrite.Directory from WHO',
    );
    expect(titleOf('AZVMContributor')).toBe('Remove the role Virtual Machine Contributor on OBJ from WHO');
    expect(titleOf('AZGetSecrets')).toBe('Remove the access of WHO to secrets of OBJ');
    expect(titleOf('AZManagedIdentity')).toBe('Remove the identity OBJ from WHO');
    expect(textOf('remove-role', 'AZHasRole').title).toBe('Remove the role OBJ from WHO');
    expect(textOf('remove-role', 'AZGlobalAdmin').title).toBe(
      'Remove the role Global Administrator in OBJ from WHO',
    );
    for (const relation of ['AZHasRole', 'AZGlobalAdmin'])
      expect(textOf('remove-role', relation).change).toContain('Do not make it eligible instead');
    expect(textOf('remove-role', 'AZRoleEligible').change).toBe(
      'In Privileged Identity Management, remove the eligible assignment of WHO to OBJ.',
    );
    expect(textOf('remove-relation', 'AZOwner').change).toContain('Do not make it eligible instead');
    for (const { name } of EDGE_KINDS) {
      const { title, change } = textOf('remove-relation', name);
      expect(title).not.toContain(name);
      // Each Azure right that one command removes has a separate text.
      if (isAzureRight(name) && !DERIVED_RIGHTS.has(name)) expect(change).not.toContain(name);
    }
  });

  it('names the units, the local groups and the number of computers of a member that policies give', () => {
    const counts = fc.integer({ min: 1, max: 50 });
    fc.assert(
      fc.property(
        name('OBJ'),
        name('WHO'),
        name('OU'),
        counts,
        fc.boolean(),
        (object, principal, other, count, two) => {
          const units = two ? [object, other] : [object];
          const policy = { group: 'Administrators', computerCount: count, computers: ['HOST'], units };
          const names = { object, principal, objectKind: 'OU', relations: ['MemberOfLocalGroup'] };
          const text = repairText('remove-policy-member', {
            ...{ ...names, policy, isInherited: false, inheritedFrom: '' },
          });
          for (const part of [principal, 'Administrators', ...units]) expect(text.title).toContain(part);
          expect(text.title).toContain(count === 1 ? 'of one computer' : `of ${count} computers`);
          expect(text.change).toContain('Restricted Groups');
          expect(text.change).toContain(
            count === 1 ? 'affects HOST.' : `affects HOST and ${count - 1} more.`,
          );
          expect(Object.values(text).join('\n')).not.toMatch(/undefined| {2}/);
        },
      ),
    );
  });

  it('calls a user a user and a computer a computer', () => {
    for (const objectKind of ['User', 'Computer'])
      for (const relation of ['CoerceToTGT', 'AllowedToDelegate', 'AllowedToAct']) {
        const names = { object: 'OBJ', principal: 'WHO', relations: [relation], isInherited: false };
        const text = repairText('remove-delegation', { ...names, objectKind, inheritedFrom: '' });
        const all = Object.values(text).join('\n');
        expect(/this computer/.test(all)).toBe(objectKind === 'Computer' && relation === 'CoerceToTGT');
        expect(/this user/.test(all)).toBe(objectKind === 'User' && relation === 'CoerceToTGT');
      }
  });

  it('says of a delegation where it is set', () => {
    const names = {
      object: 'OBJ',
      objectKind: 'User',
      principal: 'WHO',
      isInherited: false,
      inheritedFrom: '',
    };
    const titleOf = (relation: string) =>
      repairText('remove-delegation', { ...names, relations: [relation] }).title;
    expect(titleOf('AllowedToAct')).toBe('Remove the delegation of WHO to OBJ');
    expect(titleOf('AllowedToDelegate')).toBe('Remove the delegation of OBJ to WHO');
    expect(titleOf('CoerceToTGT')).toBe('Turn off the unconstrained delegation of OBJ');
  });

  it('says where elevated access to Azure is removed, because no object of Azure has it', () => {
    const names = { object: 'ROOT', objectKind: 'AZManagementGroup', principal: 'WHO', isInherited: false };
    const relations = ['AZUserAccessAdministrator'];
    const text = repairText('remove-relation', { ...names, relations, inheritedFrom: '', isElevated: true });
    expect(text.change).toContain('Manage elevated access users');
    expect(text.change).toContain('--scope "/"');
    const ordinary = repairText('remove-relation', { ...names, relations, inheritedFrom: '' });
    expect(ordinary.change).toContain('Under Access control (IAM) of ROOT');
  });
});
