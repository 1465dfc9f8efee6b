/**
 * The kinds of Entra ID and Azure objects with an entity page, the lists of their related objects, and the lists that each page counts: the
 * contract's part of one table. The service has the computation of each list in a table with the same keys.
 *
 * Rule: `docs/reference/azurehound.md#entity-lists`.
 */

/** [value of `related_entity_type`, kind of the entries]: all objects of a kind in a container, at any depth. */
export const AZURE_DESCENDENTS = [
  ['descendent-users', 'AZUser'],
  ['descendent-groups', 'AZGroup'],
  ['descendent-management-groups', 'AZManagementGroup'],
  ['descendent-subscriptions', 'AZSubscription'],
  ['descendent-resource-groups', 'AZResourceGroup'],
  ['descendent-virtual-machines', 'AZVM'],
  ['descendent-managed-clusters', 'AZManagedCluster'],
  ['descendent-vm-scale-sets', 'AZVMScaleSet'],
  ['descendent-container-registries', 'AZContainerRegistry'],
  ['descendent-web-apps', 'AZWebApp'],
  ['descendent-logic-apps', 'AZLogicApp'],
  ['descendent-automation-accounts', 'AZAutomationAccount'],
  ['descendent-key-vaults', 'AZKeyVault'],
  ['descendent-applications', 'AZApp'],
  ['descendent-service-principals', 'AZServicePrincipal'],
  ['descendent-devices', 'AZDevice'],
  ['descendent-function-apps', 'AZFunctionApp'],
] as const;

/** Every related list except those of descendents, and its contents. Each is available for any object. */
const RELATED = {
  'group-membership': 'groups it is a direct member of',
  'group-members': 'direct members',
  roles: 'Entra roles it holds, itself or through a role-assignable group',
  'eligible-roles': 'Entra roles it can activate, itself or through a role-assignable group',
  'active-assignments': 'principals that hold the role, directly or indirectly',
  'pim-assignments': 'principals that can activate the role, directly or indirectly',
  'role-approvers': 'principals that can approve the activation of the role',
  'outbound-control': 'objects it can control, itself or through its groups, with their contents',
  'inbound-control': 'principals that can control it, and the container that contains it',
  'outbound-execution-privileges': 'objects it can run commands on',
  'inbound-execution-privileges': 'principals that can run commands on it, directly or indirectly',
  'outbound-abusable-app-role-assignments': 'service principals it holds a powerful app role on',
  'inbound-abusable-app-role-assignments': 'service principals that hold a powerful app role on it',
  'key-readers': 'principals that can read keys of the vault, directly or indirectly',
  'certificate-readers': 'principals that can read certificates of the vault, directly or indirectly',
  'secret-readers': 'principals that can read secrets of the vault, directly or indirectly',
  'all-readers':
    'principals that can read keys, certificates or secrets of the vault, directly or indirectly',
  'federated-identity-credentials': 'federated credentials that can sign in as the application',
  descendents: 'everything inside the container, at any depth',
} as const;

export type AzureDescendentType = (typeof AZURE_DESCENDENTS)[number][0];
/** A value of `related_entity_type`. */
export type AzureRelatedType = keyof typeof RELATED | AzureDescendentType;

export const AZURE_RELATED_TYPES: Readonly<Record<AzureRelatedType, string>> = {
  ...RELATED,
  ...(Object.fromEntries(
    AZURE_DESCENDENTS.map(([type, kind]) => [type, `objects of kind ${kind} inside the container`]),
  ) as Record<AzureDescendentType, string>),
};

/** [keys of the count in the entity's answer, list with this length]. */
type CountRow = readonly [place: readonly string[], list: AzureRelatedType];

interface Row {
  /** Value of `{entity_type}`. */
  readonly segment: string;
  /** Further spellings that clients use, in addition to the name of the kind. */
  readonly aliases?: readonly string[];
  readonly kind: string;
  readonly counts: readonly CountRow[];
}

const INBOUND = [['inbound_object_control'], 'inbound-control'] as const;
const OUTBOUND = [['outbound_object_control'], 'outbound-control'] as const;
const ROLES = [['roles'], 'roles'] as const;
const MEMBERSHIP = [['group_membership'], 'group-membership'] as const;
const EXECUTION = [['inboundExecutionPrivileges'], 'inbound-execution-privileges'] as const;

/** All kinds that a container can contain, except the given ones. */
function descendents(...without: readonly string[]): CountRow[] {
  return AZURE_DESCENDENTS.filter(([, kind]) => !without.includes(kind)).map(([type, kind]) => [
    ['descendents', 'descendent_counts', kind],
    type,
  ]);
}

const DIRECTORY_KINDS = ['AZUser', 'AZGroup', 'AZApp', 'AZServicePrincipal', 'AZDevice'];
const ABOVE_GROUPS = [...DIRECTORY_KINDS, 'AZManagementGroup', 'AZSubscription'];

const ROWS = [
  { segment: 'az-base', kind: 'AZBase', counts: [OUTBOUND] },
  {
    segment: 'users',
    kind: 'AZUser',
    counts: [
      MEMBERSHIP,
      ROLES,
      [['execution_privileges'], 'outbound-execution-privileges'],
      OUTBOUND,
      INBOUND,
    ],
  },
  {
    segment: 'groups',
    kind: 'AZGroup',
    counts: [ROLES, [['group_members'], 'group-members'], MEMBERSHIP, OUTBOUND, INBOUND],
  },
  { segment: 'tenants', kind: 'AZTenant', counts: [...descendents(), INBOUND] },
  {
    segment: 'management-groups',
    kind: 'AZManagementGroup',
    counts: [...descendents(...DIRECTORY_KINDS), INBOUND],
  },
  { segment: 'subscriptions', kind: 'AZSubscription', counts: [...descendents(...ABOVE_GROUPS), INBOUND] },
  {
    segment: 'resource-groups',
    kind: 'AZResourceGroup',
    counts: [...descendents(...ABOVE_GROUPS, 'AZResourceGroup'), INBOUND],
  },
  { segment: 'vms', kind: 'AZVM', counts: [EXECUTION, INBOUND] },
  { segment: 'managed-clusters', kind: 'AZManagedCluster', counts: [INBOUND] },
  { segment: 'container-registries', kind: 'AZContainerRegistry', counts: [INBOUND] },
  { segment: 'web-apps', kind: 'AZWebApp', counts: [INBOUND] },
  { segment: 'logic-apps', kind: 'AZLogicApp', counts: [INBOUND] },
  {
    segment: 'automation-accounts',
    aliases: ['automationaccounts'],
    kind: 'AZAutomationAccount',
    counts: [INBOUND],
  },
  {
    segment: 'key-vaults',
    kind: 'AZKeyVault',
    counts: [
      [['Readers', 'KeyReaders'], 'key-readers'],
      [['Readers', 'CertificateReaders'], 'certificate-readers'],
      [['Readers', 'SecretReaders'], 'secret-readers'],
      [['Readers', 'AllReaders'], 'all-readers'],
      INBOUND,
    ],
  },
  { segment: 'devices', kind: 'AZDevice', counts: [EXECUTION, INBOUND] },
  {
    segment: 'applications',
    kind: 'AZApp',
    counts: [INBOUND, [['federated_identity_credentials'], 'federated-identity-credentials']],
  },
  { segment: 'vm-scale-sets', kind: 'AZVMScaleSet', counts: [INBOUND] },
  {
    segment: 'service-principals',
    kind: 'AZServicePrincipal',
    counts: [
      ROLES,
      INBOUND,
      OUTBOUND,
      [['inbound-abusable-app-role-assignments'], 'inbound-abusable-app-role-assignments'],
      [['outbound-abusable-app-role-assignments'], 'outbound-abusable-app-role-assignments'],
    ],
  },
  {
    segment: 'roles',
    kind: 'AZRole',
    counts: [
      [['active_assignments'], 'active-assignments'],
      [['pim_assignments'], 'pim-assignments'],
      [['approvers'], 'role-approvers'],
    ],
  },
  { segment: 'function-apps', kind: 'AZFunctionApp', counts: [INBOUND] },
  { segment: 'federated-identity-credentials', kind: 'AZFederatedIdentityCredential', counts: [] },
] as const satisfies readonly Row[];

export type AzureEntityKind = (typeof ROWS)[number]['kind'];

export interface AzureEntityType {
  readonly segment: (typeof ROWS)[number]['segment'];
  readonly kind: AzureEntityKind;
  readonly counts: readonly CountRow[];
}

export const AZURE_ENTITY_TYPES: readonly AzureEntityType[] = ROWS;

/** Segments, names of kinds, and other spellings of clients, in lower case. */
const bySpelling: ReadonlyMap<string, AzureEntityType> = new Map(
  (ROWS as readonly (Row & AzureEntityType)[]).flatMap((row) =>
    [row.segment, row.kind, ...(row.aliases ?? [])].map((name) => [name.toLowerCase(), row] as const),
  ),
);

/** @param name case-insensitive @returns `undefined` if the entity type does not exist */
export function azureEntityType(name: string): AzureEntityType | undefined {
  return bySpelling.get(name.toLowerCase());
}

export function isAzureRelatedType(name: string): name is AzureRelatedType {
  return Object.hasOwn(AZURE_RELATED_TYPES, name);
}
