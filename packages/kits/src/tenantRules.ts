/**
 * Detection rules for relationships of Entra ID, by its audit log: new members, owners, credentials, permissions and roles, and activations.
 *
 * Operations: Microsoft, Entra audit log categories and activities. The name of changed credentials has a dash outside of ASCII and ends in
 * a space, so that only a part of it is compared. Rule: `docs/kits.md#detection-rules`.
 */
import type { EdgeKindName } from '@clew/model';
import type { KitObject, KitRelation } from '@clew/planning';
import type { WatchRule } from './sigma.ts';
import { EXPECTED, NO_RULE, NOT_SINGLE } from './watchSentences.ts';

type Found = WatchRule | string;
type Rules = (relation: KitRelation) => readonly Found[];

const NEEDS = 'nothing: the Entra ID audit log contains it';
const azure = { product: 'azure', service: 'auditlogs', needs: NEEDS } as const;

const CREDENTIALS = 'Certificates and secrets management';
const PRINCIPAL_CREDENTIALS = 'Add service principal credentials';
const APPLICATION_OWNER = 'Add owner to application';
const PRINCIPAL_OWNER = 'Add owner to service principal';
const GROUP_MEMBER = 'Add member to group';
const GROUP_OWNER = 'Add owner to group';
const APP_ROLE = 'Add app role assignment to service principal';
const ROLE_MEMBER = 'Add member to role';
const ACTIVATED = 'Add member to role completed (PIM activation)';

const NO_ID = 'the event contains the ID of the object, which was not collected.';

function onTarget(
  { relation, target }: KitRelation,
  operations: readonly string[],
  id: string | null | undefined,
  falsePositives = EXPECTED,
): Found {
  if (id === null || id === undefined || id === '') return NO_ID;
  return {
    ...{ ...azure, title: `${relation}: ${operations[0]} (${target.kind})`, falsePositives },
    fields: { 'OperationName|contains': operations, 'TargetResources|contains': [id] },
  };
}

const ACCOUNTS: ReadonlySet<string> = new Set(['AZUser', 'AZServicePrincipal', 'AZManagedIdentity']);
const idOfAccount = ({ kind, guid }: KitObject): string | undefined =>
  ACCOUNTS.has(kind) ? (guid ?? undefined) : undefined;

/** Rights over all objects of a kind: the event shows who acts. */
const byInitiator =
  (...operations: readonly string[]): Rules =>
  ({ source, relation }) => {
    const id = idOfAccount(source);
    if (id === undefined) return [NOT_SINGLE];
    return [
      {
        ...{ ...azure, title: `${relation} is used: ${operations[0]}`, falsePositives: EXPECTED },
        fields: { 'OperationName|contains': operations, 'InitiatedBy|contains': [id] },
      },
    ];
  };

const ROTATIONS = 'Owners and administrators who rotate secrets and certificates';

/** Events about an application contain its object ID, which is not its client ID. */
const newCredentials: Rules = (relation) => {
  const { kind, guid, applicationObjectId } = relation.target;
  if (kind === 'AZApp') return [onTarget(relation, [CREDENTIALS], applicationObjectId, ROTATIONS)];
  if (kind === 'AZServicePrincipal')
    return [onTarget(relation, [PRINCIPAL_CREDENTIALS, CREDENTIALS], guid, ROTATIONS)];
  return [];
};

const newOwner: Rules = (relation) => {
  const { kind, guid, applicationObjectId } = relation.target;
  if (kind === 'AZApp') return [onTarget(relation, [APPLICATION_OWNER], applicationObjectId)];
  if (kind === 'AZServicePrincipal') return [onTarget(relation, [PRINCIPAL_OWNER], guid)];
  if (kind === 'AZGroup') return [onTarget(relation, [GROUP_OWNER], guid)];
  return [];
};

const newMember: Rules = (relation) =>
  relation.target.kind === 'AZGroup' ? [onTarget(relation, [GROUP_MEMBER], relation.target.guid)] : [];

const owned: Rules = (relation) => [
  ...newMember(relation),
  ...newCredentials(relation),
  ...newOwner(relation),
];

/** The id of a role consists of its template id and its tenant. */
const templateOf = ({ objectId }: KitObject): string | undefined =>
  objectId.includes('@') ? objectId.split('@')[0]?.toLowerCase() : undefined;

const newHolder = (relation: KitRelation, template: string): Found =>
  onTarget(
    relation,
    [ROLE_MEMBER, 'Add eligible member to role'],
    template,
    `${EXPECTED}, and activations of eligible roles, which are recorded as new members, too`,
  );

const ofRole: Rules = (relation) => {
  const template = templateOf(relation.target);
  if (template === undefined) return [NO_RULE];
  return [
    newHolder(relation, template),
    'the rule detects new members of the role; no single event shows that an existing member uses it.',
  ];
};

/** The use of an eligible role is its activation; in events about it, the template of the role is an additional detail. */
const ofEligibleRole: Rules = (relation) => {
  const template = templateOf(relation.target);
  if (template === undefined) return [NO_RULE];
  const { source } = relation;
  const user = source.kind === 'AZUser' ? source.guid : null;
  return [
    {
      ...{ ...azure, title: 'AZRoleEligible is used: the role is activated' },
      fields: {
        ...{ OperationName: [ACTIVATED], 'AdditionalDetails|contains': [template] },
        ...(user !== null && { 'InitiatedBy|contains': [user] }),
      },
      falsePositives: 'Work for which the role was made eligible',
    },
    newHolder(relation, template),
  ];
};

export const TENANT_RULES: Readonly<Partial<Record<EdgeKindName, Rules>>> = {
  AZHasRole: ofRole,
  AZRoleEligible: ofEligibleRole,
  AZMemberOf: (relation) => [
    onTarget(relation, [GROUP_MEMBER], relation.target.guid),
    'the rule detects new members of the group; no single event shows that an existing member uses it.',
  ],
  AZAddMembers: newMember,
  AZMGAddMember: newMember,
  AZOwns: owned,
  AZAddOwner: newOwner,
  AZMGAddOwner: newOwner,
  AZAddSecret: newCredentials,
  AZMGAddSecret: newCredentials,
  AZAppAdmin: newCredentials,
  AZCloudAppAdmin: newCredentials,
  AZMGGrantAppRoles: byInitiator(APP_ROLE),
  AZMGGrantRole: byInitiator(ROLE_MEMBER),
  AZMGAppRoleAssignment_ReadWrite_All: byInitiator(APP_ROLE),
  AZMGRoleManagement_ReadWrite_Directory: byInitiator(ROLE_MEMBER, APP_ROLE),
  AZMGApplication_ReadWrite_All: byInitiator(
    ...[CREDENTIALS, PRINCIPAL_CREDENTIALS, APPLICATION_OWNER, PRINCIPAL_OWNER],
  ),
  AZMGServicePrincipalEndpoint_ReadWrite_All: byInitiator(PRINCIPAL_OWNER),
  AZMGDirectory_ReadWrite_All: byInitiator(GROUP_MEMBER, GROUP_OWNER),
  AZMGGroup_ReadWrite_All: byInitiator(GROUP_MEMBER, GROUP_OWNER),
  AZMGGroupMember_ReadWrite_All: byInitiator(GROUP_MEMBER),
  AZResetPassword: (relation) => [
    onTarget(relation, ['Reset user password', 'Reset password (by admin)'], relation.target.guid),
  ],
};
