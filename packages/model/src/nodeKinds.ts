/**
 * Node kinds that are built in. Kinds of OpenGraph sources are registered at run time by the store and get
 * numbers from `FIRST_CUSTOM_KIND` on.
 */

export type Platform = 'ad' | 'azure';

export interface NodeKindTraits {
  /** Number in the store and in graph columns. Never renumber: it is persisted. */
  readonly id: number;
  readonly name: string;
  readonly platform: Platform;
}

const ROWS = [
  [1, 'Base', 'ad'],
  [2, 'User', 'ad'],
  [3, 'Computer', 'ad'],
  [4, 'Group', 'ad'],
  [5, 'GPO', 'ad'],
  [6, 'OU', 'ad'],
  [7, 'Container', 'ad'],
  [8, 'Domain', 'ad'],
  [9, 'ADLocalGroup', 'ad'],
  [10, 'ADLocalUser', 'ad'],
  [11, 'AIACA', 'ad'],
  [12, 'RootCA', 'ad'],
  [13, 'EnterpriseCA', 'ad'],
  [14, 'NTAuthStore', 'ad'],
  [15, 'CertTemplate', 'ad'],
  [16, 'IssuancePolicy', 'ad'],
  [17, 'SiteServer', 'ad'],
  [18, 'Site', 'ad'],
  [19, 'SiteSubnet', 'ad'],
  [30, 'AZBase', 'azure'],
  [31, 'AZTenant', 'azure'],
  [32, 'AZUser', 'azure'],
  [33, 'AZGroup', 'azure'],
  [34, 'AZDevice', 'azure'],
  [35, 'AZApp', 'azure'],
  [36, 'AZServicePrincipal', 'azure'],
  [37, 'AZFederatedIdentityCredential', 'azure'],
  [38, 'AZRole', 'azure'],
  [39, 'AZManagementGroup', 'azure'],
  [40, 'AZSubscription', 'azure'],
  [41, 'AZResourceGroup', 'azure'],
  [42, 'AZKeyVault', 'azure'],
  [43, 'AZVM', 'azure'],
  [44, 'AZVMScaleSet', 'azure'],
  [45, 'AZFunctionApp', 'azure'],
  [46, 'AZWebApp', 'azure'],
  [47, 'AZLogicApp', 'azure'],
  [48, 'AZAutomationAccount', 'azure'],
  [49, 'AZContainerRegistry', 'azure'],
  [50, 'AZManagedCluster', 'azure'],
  [51, 'AZEntraDS', 'azure'],
] as const satisfies readonly (readonly [number, string, Platform])[];

export type NodeKindName = (typeof ROWS)[number][1];

/** Numbers from here on belong to kinds registered by OpenGraph sources. */
export const FIRST_CUSTOM_KIND = 1000;

export const NODE_KINDS: readonly NodeKindTraits[] = ROWS.map(([id, name, platform]) => ({
  id,
  name,
  platform,
}));

/** Number of each built-in node kind by its name: `NodeKind.User === 2`. */
export const NodeKind = Object.fromEntries(ROWS.map(([id, name]) => [name, id])) as {
  readonly [Name in NodeKindName]: number;
};

const byName: ReadonlyMap<string, NodeKindTraits> = new Map(NODE_KINDS.map((kind) => [kind.name, kind]));
const byId: ReadonlyMap<number, NodeKindTraits> = new Map(NODE_KINDS.map((kind) => [kind.id, kind]));

/** @returns the traits of a built-in kind; `undefined` for any other name. Case matters. */
export function nodeKindByName(name: string): NodeKindTraits | undefined {
  return byName.get(name);
}

/** @returns the traits of a built-in kind; `undefined` for a custom one. */
export function nodeKindById(id: number): NodeKindTraits | undefined {
  return byId.get(id);
}

/**
 * The kind shown for a node that carries several: the last known one that is neither a base kind nor
 * ADLocalGroup; then ADLocalGroup; then a custom kind; then the base kind; else `Unknown`.
 *
 * Rule: `docs/reference/queries.md#graph-answers` (display kind).
 */
export function displayKind(kinds: readonly string[]): string {
  let fallback = 'Unknown';
  let local = false;
  let custom: string | undefined;
  for (let index = kinds.length - 1; index >= 0; index--) {
    const kind = kinds[index] as string;
    if (kind === 'ADLocalGroup') local = true;
    else if (kind === 'Base' || kind === 'AZBase') fallback = kind;
    else if (byName.has(kind)) return kind;
    else if (!kind.startsWith('Tag_')) custom = kind;
  }
  if (local) return 'ADLocalGroup';
  return custom ?? fallback;
}
