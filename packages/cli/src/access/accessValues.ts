/**
 * Values for the parameters of all operations that read, from the data of the service: objects that the user may see, and objects that the
 * user may not see, whose answers must not tell that they exist.
 */
import type { OperationId } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { ENTITY_KINDS } from './entityKinds.ts';
import { environmentsOf } from './hiddenObjects.ts';
import { rowsOf } from './rowsOf.ts';

type Value = string | number;
export type Values = Readonly<Record<string, readonly Value[]>>;

interface Example {
  readonly id: string;
  readonly name: string;
  /** Its number in the graph. */
  readonly node: number;
}

/** Some objects by kind. */
export interface Examples {
  readonly seen: ReadonlyMap<string, readonly Example[]>;
  readonly hidden: ReadonlyMap<string, readonly Example[]>;
  /** Numbers of relationships. */
  readonly relationships: readonly number[];
}

export interface AccessValues {
  /** Values of a parameter in a path. */
  of(parameter: string, path: string): readonly Value[];
  readonly examples: Examples;
}

/** Objects of each kind, and environments, that the user may see, and that the user may not see. */
const EACH = { seen: 2, hidden: 4 } as const;
const FINDINGS = 2;
const TYPES = 12;
const TEXTS = ['a', 'admin'];

/** Lists with the ids of other parameters, and the member with the id. */
const LISTS: Readonly<Record<string, readonly [OperationId, string]>> = {
  asset_group_tag_id: ['GetAssetGroupTags', 'id'],
  asset_group_id: ['ListAssetGroups', 'id'],
  saved_query_id: ['ListSavedQueries', 'id'],
  drawing_id: ['ListDrawings', 'id'],
  report_id: ['ListReports', 'id'],
  view_id: ['ListViews', 'id'],
  plan_id: ['ListPlans', 'id'],
  constraint_id: ['ListPlanConstraints', 'id'],
  extension_id: ['ListExtensions', 'id'],
  check_name: ['ListChecks', 'name'],
  file_upload_job_id: ['ListFileUploadJobs', 'id'],
  client_id: ['ListClients', 'id'],
  event_id: ['ListClientSchedules', 'id'],
  job_id: ['GetClientJobs', 'id'],
  task_id: ['GetClientTasks', 'id'],
  webhook_id: ['ListWebhooks', 'id'],
};

const FIXED: Values = {
  ...{ q: TEXTS, query: TEXTS, since: ['2020-01-01T00:00:00Z'], schema_environment_kind_id: [1, 2] },
  ...{ asset_name: ['title.md', 'long_remediation.md'], platform_id: ['ad', 'azure'], issue_id: [1] },
  ...{ data_type: ['findings', 'exposure', 'assets', 'attack-paths', 'group-completeness'] },
  ...{
    entity_type: ['users', 'groups', 'tenants', 'roles', 'applications'],
    edge_type: ['MemberOf', 'GenericAll'],
  },
  ...{ asset_group_tag_selector_id: [1, 2, 3], role_id: [1], permission_id: [1] },
};

/** Objects under several names. */
const OBJECTS = ['object_id', 'start_node', 'end_node'];
const NODES = ['node_id', 'source_node', 'target_node', 'asset_group_member_id'];
const ENVIRONMENTS = ['domain_id', 'tenant_id', 'environment_id', 'environments'];

/** @param seen environments of the user @param hidden all others */
export async function accessValues(
  admin: ClewClient,
  user: { readonly id: string; readonly seen: readonly string[]; readonly hidden: readonly string[] },
  signal: AbortSignal,
): Promise<AccessValues> {
  const { seen, hidden } = user;
  const examples = await examplesOf(admin, new Set(seen), signal);
  const objects = [...examples.seen.values(), ...examples.hidden.values()].flat();
  const environments = [...seen.slice(0, EACH.seen), ...hidden.slice(0, EACH.hidden)];
  const findings = await Promise.all(
    environments.map((environment) =>
      admin
        .call(
          'ListAttackPathFindings',
          { query: { environment_id: `eq:${environment}`, limit: FINDINGS } as never },
          { signal },
        )
        .then(({ data }) => data),
    ),
  );
  const types = await admin.call('ListAttackPathTypes', {}, { signal });
  const listed = new Map<string, readonly Value[]>();
  for (const [parameter, [operation, member]] of Object.entries(LISTS))
    listed.set(parameter, await idsOf(admin, operation, member, signal));
  const names = objects.slice(0, 4).map(({ name }) => name);
  const typeNames = [...new Set([...findings.flat().map(({ finding }) => finding), ...types.data])].slice(
    0,
    TYPES,
  );
  return {
    examples,
    of(parameter, path) {
      if (parameter === 'object_id') {
        const kinds = ENTITY_KINDS[path.split('/')[3] ?? ''] ?? [];
        const own = SIDES.flatMap((side) =>
          inTurn(kinds.map((kind) => examples[side].get(kind) ?? [])).slice(0, EACH[side]),
        );
        return (own.length > 0 ? own : firstOfEach(examples)).map(({ id }) => id);
      }
      if (OBJECTS.includes(parameter)) return firstOfEach(examples).map(({ id }) => id);
      if (NODES.includes(parameter)) return firstOfEach(examples).map(({ node }) => node);
      if (parameter === 'relationship_id') return examples.relationships;
      if (ENVIRONMENTS.includes(parameter)) return environments;
      if (parameter === 'finding_id') return findings.flat().map(({ id }) => id);
      if (parameter === 'finding' || parameter === 'finding_type') return typeNames;
      if (parameter === 'q' || parameter === 'query') return [...TEXTS, ...names];
      if (parameter === 'user_id') return [user.id];
      return listed.get(parameter) ?? FIXED[parameter] ?? ['1'];
    },
  };
}

const SIDES = ['seen', 'hidden'] as const;

/** Objects of each side, of different kinds. */
const firstOfEach = (examples: Examples): readonly Example[] =>
  SIDES.flatMap((side) => inTurn([...examples[side].values()]).slice(0, EACH[side]));

/** @returns the first of each list, then the second of each, and so on */
function inTurn<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** Two objects of each kind and environment, so that none is missed because others are many. */
async function examplesOf(
  admin: ClewClient,
  seen: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Examples> {
  const sides: { readonly seen: Map<string, Example[]>; readonly hidden: Map<string, Example[]> } = {
    ...{ seen: new Map(), hidden: new Map() },
  };
  const kinds = [...new Set(Object.values(ENTITY_KINDS).flat())];
  for (const [turn, kind] of kinds.entries()) {
    const query = `MATCH (n:${kind}) RETURN coalesce(n.domainsid, n.tenantid), min(n.objectid), max(n.objectid)`;
    const groups = await rowsOf(admin, query, signal);
    const ids = [...new Set(groups.flatMap(([, ...ends]) => ends.filter((id) => id !== null).map(String)))];
    const environments = await environmentsOf(admin, ids, signal);
    const named = await rowsOf(
      admin,
      'MATCH (n) WHERE n.objectid IN $ids RETURN n.objectid, n.name, id(n)',
      signal,
      { ids },
    );
    const byEnvironment = Map.groupBy(named, ([id]) => environments.get(String(id)) ?? '');
    for (const side of SIDES) {
      const own = [...byEnvironment].filter(([environment]) => seen.has(environment) === (side === 'seen'));
      // Each kind begins with another environment, so that all of them have examples.
      const shift = own.length === 0 ? 0 : turn % own.length;
      const rows = inTurn([...own.slice(shift), ...own.slice(0, shift)].map(([, list]) => list));
      const found = rows.slice(0, EACH[side]).map(([id, name, node]) => ({
        ...{ id: String(id), name: String(name ?? id), node: Number(node) },
      }));
      if (found.length > 0) sides[side].set(kind, found);
    }
  }
  const relationships: number[] = [];
  for (const side of SIDES) {
    const ids = [...sides[side].values()].flat().map(({ id }) => id);
    const query = 'MATCH (n)-[r]-() WHERE n.objectid IN $ids RETURN DISTINCT id(r) LIMIT 3';
    relationships.push(...(await rowsOf(admin, query, signal, { ids })).flat().map(Number));
  }
  return { ...sides, relationships };
}

async function idsOf(
  admin: ClewClient,
  operation: OperationId,
  member: string,
  signal: AbortSignal,
): Promise<readonly Value[]> {
  const answer = (await admin.call(operation as 'GetSelf', {}, { signal })) as { readonly data: unknown };
  const rows = rowsIn(answer.data);
  const ids = rows.map((row) => row[member] as Value).filter((id) => id !== undefined);
  return ids.length === 0 ? ['1'] : ids.slice(0, 3);
}

type Row = Readonly<Record<string, unknown>>;

/** The list of an answer, which some wrap in a member. */
function rowsIn(data: unknown): readonly Row[] {
  if (Array.isArray(data)) return data;
  const inner = Object.values((data ?? {}) as Row).find(Array.isArray);
  return inner ?? [];
}
