/** Every finding type, by id, in the order of the numbers in `FoundColumns`. */
import type { FindingType, RelationshipFindingType } from './findingType.ts';
import { LIST_FINDINGS } from './list/index.ts';
import { AD_RELATIONSHIP_FINDINGS } from './relationship/activeDirectory.ts';
import { AZURE_RELATIONSHIP_FINDINGS } from './relationship/azure.ts';
import { LARGE_GROUP_FINDINGS } from './relationship/largeDefaultGroups.ts';

const RELATIONSHIPS = [...AD_RELATIONSHIP_FINDINGS, ...AZURE_RELATIONSHIP_FINDINGS, ...LARGE_GROUP_FINDINGS];

export type FindingId = (typeof RELATIONSHIPS)[number]['id'] | (typeof LIST_FINDINGS)[number]['id'];

export const RELATIONSHIP_FINDINGS: readonly RelationshipFindingType[] = RELATIONSHIPS;

export const FINDING_TYPES: readonly FindingType[] = [...RELATIONSHIPS, ...LIST_FINDINGS];

/** Public ids of the past: accepted in requests, never produced. Source: `docs/findings.md#coverage`. */
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

/** @returns the built-in type with this id; `undefined` for unknown and retired ids */
export function builtInTypeById(id: string): FindingType | undefined {
  return byId.get(id);
}
