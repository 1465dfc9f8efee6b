/**
 * Changes of a tenant since an earlier run, by delta queries of Microsoft Graph (`$deltatoken`). They exist for users, groups with their
 * members, devices, applications and service principals. Everything else has no delta query, and is read completely in each run.
 */
import { type GraphClient, GraphError } from './graphClient.ts';

/** Record kinds with delta queries, their paths, and the selected properties. */
export type DeltaKind = 'AZUser' | 'AZGroup' | 'AZDevice' | 'AZApp' | 'AZServicePrincipal';
const PATHS: Readonly<Record<DeltaKind, string>> = {
  AZUser: 'users',
  AZGroup: 'groups',
  AZDevice: 'devices',
  AZApp: 'applications',
  AZServicePrincipal: 'servicePrincipals',
};
export const DELTA_KINDS = Object.keys(PATHS) as readonly DeltaKind[];

/** The state between runs: links to later changes, and ids. It contains no names and no credentials. */
export interface TenantState {
  readonly tenantId: string;
  /** Milliseconds since 1970. */
  readonly fullAt: number;
  /** When the sign-ins of users were requested (milliseconds since 1970), and whether Graph listed them; missing in old states. */
  readonly signIns?: { readonly at: number; readonly areRead: boolean };
  /** Whether the next run has to read everything, because this one could not read a part whose changes are listed. */
  readonly needsFull: boolean;
  readonly links: Readonly<Record<DeltaKind, string>>;
  /** Client ids of applications, which are their ids in records, by object id. */
  readonly appIds: Readonly<Record<string, string>>;
}

interface ChangesOfKind {
  readonly changed: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

export interface TenantChanges {
  readonly of: Readonly<Record<DeltaKind, ChangesOfKind>>;
  readonly links: TenantState['links'];
}

/** Links to the changes from now on; taken before a full reading, so that no change during it is lost. @throws GraphError */
export async function latestLinks(
  graph: GraphClient,
  selected: Readonly<Record<DeltaKind, string>>,
): Promise<TenantState['links']> {
  const links: Partial<Record<DeltaKind, string>> = {};
  for (const kind of DELTA_KINDS) {
    const members = kind === 'AZGroup' ? ',members' : '';
    const target = `/v1.0/${PATHS[kind]}/delta?$deltatoken=latest&$select=${selected[kind]}${members}`;
    links[kind] = (await readKind(graph, target)).later;
  }
  return links as TenantState['links'];
}

/** Why changes could not be read. */
export interface UnreadChanges {
  readonly reason: string;
  /** Whether Graph no longer knows the state (it keeps changes for some days or weeks); else the next run can ask again. */
  readonly areLost: boolean;
}

/** Refusals that end: the permission, throttling, and failures of Graph. */
const isTemporary = (status: number): boolean => status === 403 || status === 429 || status >= 500;

/** Reads all changes before any record is written. */
export async function readTenantChanges(
  graph: GraphClient,
  { links }: TenantState,
): Promise<TenantChanges | UnreadChanges> {
  const of: Partial<Record<DeltaKind, ChangesOfKind>> = {};
  const later: Partial<Record<DeltaKind, string>> = {};
  try {
    for (const kind of DELTA_KINDS) {
      const { changed, removed, later: link } = await readKind(graph, links[kind]);
      of[kind] = { changed, removed };
      later[kind] = link;
    }
  } catch (error) {
    if (!(error instanceof GraphError) || error.status === 401) throw error;
    return { reason: error.message, areLost: !isTemporary(error.status) };
  }
  return { of: of as TenantChanges['of'], links: later as TenantState['links'] };
}

interface ReadKind extends ChangesOfKind {
  readonly later: string;
}

/** An object can occur several times: its last occurrence counts. */
async function readKind(graph: GraphClient, target: string): Promise<ReadKind> {
  const changed = new Set<string>();
  const removed = new Set<string>();
  let later: string | undefined;
  for await (const page of graph.changes(target)) {
    for (const item of page.items) {
      const id = String(item.id);
      const isRemoved = item['@removed'] !== undefined;
      (isRemoved ? removed : changed).add(id);
      (isRemoved ? changed : removed).delete(id);
    }
    later = page.later ?? later;
  }
  if (later === undefined)
    throw new Error('Graph: a list of changes does not contain the link to later ones');
  return { changed, removed, later };
}

/** @returns undefined for a text that is not a state */
export function parseTenantState(text: string): TenantState | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { tenantId, fullAt, signIns, needsFull, links, appIds } = (value ?? {}) as Partial<
    Record<keyof TenantState, unknown>
  >;
  const isValid =
    typeof tenantId === 'string' &&
    Number.isFinite(fullAt) &&
    (signIns === undefined || isSignIns(signIns)) &&
    typeof needsFull === 'boolean' &&
    isTexts(links) &&
    DELTA_KINDS.every((kind) => links[kind] !== undefined) &&
    isTexts(appIds);
  return isValid ? (value as TenantState) : undefined;
}

const isSignIns = (value: unknown): boolean => {
  const { at, areRead } = (value ?? {}) as { readonly at?: unknown; readonly areRead?: unknown };
  return Number.isFinite(at) && typeof areRead === 'boolean';
};

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');
