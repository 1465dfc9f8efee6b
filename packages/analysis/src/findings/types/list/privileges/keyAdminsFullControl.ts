import type { EdgeKindName } from '@clew/model';
import type { FindingFacts } from '../../../findingFacts.ts';
import { accessRights } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** The right to write key credentials (AddKeyCredentialLink) is intended. */
export const KEY_ADMIN_EXCESS = [
  'GenericAll',
  'GenericWrite',
  'WriteDacl',
  'WriteOwner',
  'AllExtendedRights',
] as const satisfies readonly EdgeKindName[];

export const KEY_ADMINS = ['-526', '-527'] as const;

export const keyAdminsFullControl = {
  kind: 'list',
  id: 'KeyAdminsFullControl',
  title: 'Key Administrators Control the Domain',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'opening', floor: 'moderate' }),
  family: accessRights,
  remedy: {
    risk: 'A member of the group can read every secret of the domain and change all of it. The group is meant to write key credentials only: early versions of adprep of Windows Server 2016 gave it full access by mistake.',
    fix: 'Replace the entry for full access by the one that is meant: read and write msDS-KeyCredentialLink on all objects below.',
    steps: [
      'Export the access list of the domain object (dsacls), and find the entries of Key Admins and Enterprise Key Admins.',
      'Add the entry that is meant, if it is missing: read and write the property msDS-KeyCredentialLink, on this object and all objects below.',
      'Remove the entries for full access, for WriteDacl, WriteOwner and all extended rights. Leave the one for msDS-KeyCredentialLink.',
      'Where the group has members, find out why: services for keys have permissions of their own.',
    ],
    verify: [
      'dsacls of the domain shows one entry for each of the groups: read and write property msDS-KeyCredentialLink.',
      'A user can still register Windows Hello for Business, if it is in use.',
    ],
    care: 'Without the entry for msDS-KeyCredentialLink, Windows Hello for Business cannot be registered. Nothing else rests on these groups.',
    prevent:
      'Look at the access list of the domain object after each preparation for a new version of Windows Server.',
  },
  what: 'Key Admins or Enterprise Key Admins has more rights on the domain than to write key credentials.',
  needs: [],
  reads: { edges: KEY_ADMIN_EXCESS },
  find: (facts) => facts.of('Domain').filter((domain) => !holders(facts, domain).isEmpty),
  usedBy: holders,
} as const satisfies ListFindingType;

function holders(facts: FindingFacts, domain: number) {
  return facts
    .edges(...KEY_ADMIN_EXCESS)
    .startsOf(domain)
    .and(facts.withSuffix(facts.groups, ...KEY_ADMINS));
}
