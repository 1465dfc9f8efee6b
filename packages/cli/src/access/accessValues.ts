/**
 * Values for the parameters of all operations that read, from the data of the service: objects that the user may see, and objects that the
 * user may not see, whose answers must not tell that they exist.
 */
import type { OperationId } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { ENTITY_KINDS } from './entityKinds.ts';
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

/** Some objects of each side. */
const EACH = 2;
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
  const findings = await Promise.all(
    [...seen.slice(0, EACH), ...hidden.slice(0, EACH)].map((environment) =>
      admin
        .call(
          'ListAttackPathFindings',
          { query: { environment_id: `eq:${environment}`, limit: EACH } as never },
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
        const own = [examples.seen, examples.hidden].flatMap((side) =>
          kinds.flatMap((kind) => side.get(kind) ?? []).slice(0, EACH),
        );
        return (own.length > 0 ? own : firstOfEach(examples)).map(({ id }) => id);
      }
      if (OBJECTS.includes(parameter)) return firstOfEach(examples).map(({ id }) => id);
      if (NODES.includes(parameter)) return firstOfEach(examples).map(({ node }) => node);
      if (parameter === 'relationship_id') return examples.relationships;
      if (ENVIRONMENTS.includes(parameter)) return [...seen.slice(0, EACH), ...hidden.slice(0, EACH)];
      if (parameter === 'finding_id') return findings.flat().map(({ id }) => id);
      if (parameter === 'finding' || parameter === 'finding_type') return typeNames;
      if (parameter === 'q' || parameter === 'query') return [...TEXTS, ...names];
      if (parameter === 'user_id') return [user.id];
      return listed.get(parameter) ?? FIXED[parameter] ?? ['1'];
    },
  };
}

/** One user, group or computer of each side. */
const firstOfEach = ({ seen, hidden }: Examples) =>
  [seen, hidden].flatMap((side) => [...side.values()].flat().slice(0, EACH));

async function examplesOf(
  admin: ClewClient,
  seen: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Examples> {
  const sides: { readonly seen: Map<string, Example[]>; readonly hidden: Map<string, Example[]> } = {
    ...{ seen: new Map(), hidden: new Map() },
  };
  for (const kind of new Set(Object.values(ENTITY_KINDS).flat())) {
    const query = `MATCH (n:${kind}) RETURN n.objectid, n.name, id(n) LIMIT ${SAMPLE}`;
    const rows = (await rowsOf(admin, query, signal)).map(
      ([id, name, node]) => [String(id), String(name ?? id), Number(node)] as const,
    );
    const { data: places } = await admin.call(
      'FindEnvironments',
      { body: { object_ids: rows.map(([id]) => id) } },
      { signal },
    );
    const environments = new Map(places.map(({ object_id, environment_id }) => [object_id, environment_id]));
    for (const [id, name, node] of rows) {
      const side = seen.has(environments.get(id) ?? '') ? sides.seen : sides.hidden;
      const known = side.get(kind) ?? [];
      if (known.length < EACH) side.set(kind, [...known, { id, name, node }]);
    }
  }
  const relationships = await rowsOf(admin, 'MATCH ()-[r]->() RETURN id(r) LIMIT 6', signal);
  return { ...sides, relationships: relationships.flat().map(Number) };
}

/** Objects of a kind among which both sides are looked for. */
const SAMPLE = 3_000;

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
