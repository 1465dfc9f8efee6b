/** Every finding type, by id. */
import { AD_RELATIONSHIP_FINDINGS } from './catalogue/activeDirectory.ts';
import { AZURE_RELATIONSHIP_FINDINGS } from './catalogue/azure.ts';
import { LIST_FINDINGS } from './catalogue/hygiene.ts';
import { LARGE_DEFAULT_GROUP_FINDINGS } from './catalogue/largeDefaultGroups.ts';
import type { FindingType, RelationshipFindingType } from './findingType.ts';

export const RELATIONSHIP_FINDINGS: readonly RelationshipFindingType[] = [
  ...AD_RELATIONSHIP_FINDINGS,
  ...AZURE_RELATIONSHIP_FINDINGS,
  ...LARGE_DEFAULT_GROUP_FINDINGS,
];

export const FINDING_TYPES: readonly FindingType[] = [...RELATIONSHIP_FINDINGS, ...LIST_FINDINGS];

/** Public ids of the past: known in questions, never made. Source: shared reference `findings.md` 2.12. */
export const RETIRED_FINDINGS: readonly string[] = [
  ...[
    'AddKeyCredentialLink',
    'Admins',
    'AllowedToDelegate',
    'DCOM',
    'ForceChangePassword',
    'GenericAll',
    'GenericWrite',
    'Owns',
    'PSRemote',
    'RDP',
    'ReadLAPS',
    'SQLAdmin',
    'WriteDACL',
    'WriteOwner',
    'WriteAccountRestrictions',
    'SyncLAPSPassword',
  ].map((right) => `Unconstrained${right}`),
  'AzureT0MgmtGroupControl',
];

const byId: ReadonlyMap<string, FindingType> = new Map(FINDING_TYPES.map((type) => [type.id, type]));

/** @returns the finding type with this id; `undefined` for unknown and retired ids. */
export function findingTypeById(id: string): FindingType | undefined {
  return byId.get(id);
}
