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
    risk: 'A member of the group can read every secret of the domain and change every object. The group should only write key credentials: early versions of adprep for Windows Server 2016 gave it full control by mistake.',
    fix: 'Replace the full control entry with the intended one: read and write msDS-KeyCredentialLink on all descendant objects.',
    steps: [
      'Export the access control list of the domain object (dsacls), and find the entries of Key Admins and Enterprise Key Admins.',
      'If the intended entry is missing, add it: read and write the property msDS-KeyCredentialLink, on this object and all descendant objects.',
      'Remove the entries for full control, WriteDacl, WriteOwner and all extended rights. Keep the entry for msDS-KeyCredentialLink.',
      'If the group has members, find out why: services that write key credentials have their own permissions.',
    ],
    verify: [
      'For each group, dsacls of the domain shows only one entry: read and write property msDS-KeyCredentialLink.',
      'A user can still register Windows Hello for Business, if it is in use.',
    ],
    care: 'Without the entry for msDS-KeyCredentialLink, users cannot register Windows Hello for Business. Nothing else depends on these groups.',
    prevent:
      'Check the access control list of the domain object each time you prepare the domain for a new version of Windows Server.',
  },
  what: 'Key Admins or Enterprise Key Admins has rights on the domain other than writing key credentials.',
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
