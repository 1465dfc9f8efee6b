/**
 * Zones and findings as a step of building a generation: computed after the edges are derived, and published with it. If the step fails,
 * nothing is removed: the graph is published with the findings of the previous run.
 */
import {
  AnalysisContext,
  type AnalysisOptions,
  collectFindings,
  FINDING_TYPES,
  type FindingsResult,
  findingEdgeProperties,
  findingProperties,
  findingTypesOf,
  largeDefaultGroups,
  type Origin,
  type Reach,
  type ReachQuestion,
  RULES,
  rateCollected,
  reachQuestion,
  readsEdgesOf,
  type ScannedComputers,
} from '@clew/analysis';
import {
  publishWatches,
  type RanWatch,
  runSelectorQueries,
  runWatches,
  type SelectorQuery,
  type SelectorRunOptions,
} from '@clew/explore';
import { type NodeMarks, noMarks, type PublishedZone } from '@clew/generation';
import {
  type AttackGraph,
  type EdgeProperties,
  findNodeByStoreId,
  NO_NODE,
  type NodeProperties,
  NodeSet,
  objectIdOf,
} from '@clew/graph';
import { displayKind, type EdgeKindName, nodeKindById } from '@clew/model';
import { OWNED, storableJson, TIER_ZERO, zoneKindName } from '@clew/store';
import type pg from 'pg';
import { DELETE_EXPIRED } from '../mentions/mentions.ts';
import { endExpiredOn } from './acceptance.ts';
import { publishChecks, type RanCheck, runChecks, withOffenders } from './checks/runChecks.ts';
import { takeInstantOn } from './instants.ts';
import type { ShownFindings } from './publish/changedFindings.ts';
import { publishFigures } from './publish/publishFigures.ts';
import { type PublishedBy, type PublishedFindings, publishFindings } from './publish/publishFindings.ts';
import { MAX_RANKED_AT_ONCE, rankFindings } from './rankFindings.ts';
import { type NodeLabels, publishZones } from './zones/publishZones.ts';
import {
  type AssignedZone,
  assignStoredZones,
  findingZones,
  type Queried,
  queriesOf,
  readStoredZones,
} from './zones/storedZones.ts';

/** Limits for selector queries. */
export type SelectorBounds = NonNullable<SelectorRunOptions['bounds']>;

/** Properties to load for this step, in addition to those of selectors. */
export const FINDING_READS = { nodeProperties: findingProperties(), edgeProperties: findingEdgeProperties() };

export interface FindingFactsInput {
  /** The graph with derived edges. */
  readonly graph: AttackGraph;
  readonly properties: NodeProperties;
  readonly edgeProperties: EdgeProperties;
  readonly options: AnalysisOptions;
  readonly customNodeKinds: ReadonlyMap<number, string>;
  readonly customEdgeKinds: ReadonlyMap<number, string>;
  readonly scanned: ScannedComputers;
  /** The analysis was incomplete: some edges are from an earlier run. */
  readonly isPartial: boolean;
  /** The context of the rules, over the same nodes and properties, before any edge was derived. */
  readonly rules?: AnalysisContext;
  /** For the thread that runs selector queries. */
  readonly selectors: Pick<SelectorRunOptions, 'connection' | 'signal' | 'bounds'>;
  /** Computes reachability in another thread; without it, or if it fails, this thread does. */
  readonly reachBeside?: (question: ReachQuestion) => Promise<Reach | undefined>;
}

const DERIVED_KINDS: ReadonlySet<EdgeKindName> = new Set(RULES.flatMap(({ produces }) => produces));

/** Intermediate results that rules share and that derived edges do not change, so that findings need not compute them again. */
function originOf(rules: AnalysisContext): Origin {
  return { context: rules, isSame: (reads) => !readsEdgesOf(reads, DERIVED_KINDS) };
}

export interface FindingsOfGeneration {
  readonly graph: AttackGraph;
  readonly labels: NodeLabels;
  readonly assigned: readonly AssignedZone[];
  /** Results of selector queries. */
  readonly queried: Queried;
  readonly result: FindingsResult;
  /** Outcome of the organization's checks. */
  readonly checks: readonly RanCheck[];
  /** Results of watched queries. */
  readonly watches: readonly RanWatch[];
  readonly isPartial: boolean;
}

/** @param client must not be in a transaction */
export async function workOutFindings(
  client: pg.ClientBase,
  facts: FindingFactsInput,
  now = Date.now(),
): Promise<FindingsOfGeneration> {
  const { graph: collected } = facts;
  const stored = await readStoredZones(client);
  const { rules } = facts;
  const forZones = new AnalysisContext({ ...facts, ...(rules && { origin: originOf(rules) }) });
  const queries = queriesOf(stored);
  const queried = queries.length === 0 ? new Map() : await runSelectors(client, facts, queries);
  const assigned = assignStoredZones(forZones, stored, queried);
  const zones = findingZones(assigned);
  const asked = { ...facts, zones: zonesOfAssigned(assigned, collected.nodeCount) };
  const checks = await runChecks(client, asked, facts.selectors);
  const graph = withOffenders(collected, checks);
  // The same context except for the findings of checks.
  const context =
    graph === collected
      ? forZones
      : new AnalysisContext({ ...facts, graph, origin: { context: forZones, isSame: () => true } });
  const reach = facts.reachBeside?.(reachQuestion(graph, zones, largeDefaultGroups(context).all));
  const input = { context, zones, now: now / 1000, scanned: facts.scanned };
  const found = collectFindings(input);
  const result = rateCollected(input, found, await reach);
  const labels = labelsOf(graph, result, facts.customNodeKinds);
  const isPartial = facts.isPartial || result.failed.size > 0;
  const { watches, warnings } = await watchedQueries(client, asked, facts.selectors);
  const all = { ...result, warnings: [...result.warnings, ...warnings] };
  return { graph, labels, assigned, queried, result: all, checks, watches, isPartial };
}

/** Findings do not depend on watched queries: if these fail as a whole, all watches stay unchanged. */
async function watchedQueries(
  client: pg.ClientBase,
  asked: Parameters<typeof runWatches>[1],
  options: FindingFactsInput['selectors'],
): Promise<{ readonly watches: readonly RanWatch[]; readonly warnings: readonly string[] }> {
  try {
    return { watches: await runWatches(client, asked, options), warnings: [] };
  } catch (error) {
    options.signal.throwIfAborted();
    return { watches: [], warnings: [`watched queries could not be run: ${String(error)}`] };
  }
}

async function runSelectors(
  client: pg.ClientBase,
  { graph, customNodeKinds, customEdgeKinds, selectors }: FindingFactsInput,
  queries: readonly SelectorQuery[],
): Promise<Queried> {
  // Zones of the previous generation, for queries that ask for a zone.
  const zones = await loadZones(client, graph, noMarks(graph.nodeCount));
  const onSelector = (id: number | undefined): Promise<void> => noteSelector(client, id);
  return runSelectorQueries({ graph, customNodeKinds, customEdgeKinds, zones }, queries, {
    ...selectors,
    onSelector,
  });
}

export interface PublishingOptions {
  /** The previous publication, if known. */
  readonly before?: ShownFindings;
  readonly by: PublishedBy;
}

/** @param client in the transaction of the generation */
export async function publishWorkedOut(
  client: pg.ClientBase,
  generation: number,
  found: FindingsOfGeneration,
  { before, by }: PublishingOptions,
): Promise<PublishedFindings> {
  const { graph, labels, assigned, queried, result, checks, watches, isPartial } = found;
  const instant = await takeInstantOn(client);
  await endExpiredOn(client, instant);
  await publishZones(client, graph, labels, assigned, instant);
  await publishDeclaredTypes(client, graph);
  await noteQueries(client, queried);
  await publishChecks(client, graph, checks, instant);
  await publishWatches(client, watches, instant);
  const zones = findingZones(assigned).flatMap(({ id, analyzed }) => (analyzed ? [id] : []));
  const published = await publishFindings(client, found, { zones, instant, before, by });
  await client.query(DELETE_EXPIRED);
  if (result.found.count <= MAX_RANKED_AT_ONCE) await rankFindings(client);
  const report = {
    ...published,
    gaps: result.gaps.map(({ finding, environment, missing }) => ({
      finding,
      environment_id: objectIdOf(graph, environment),
      missing,
    })),
    failed: [...result.failed].map(([finding, error]) => ({ finding, error: String(error) })),
    warnings: result.warnings,
  };
  await publishFigures(client, graph, result, { generation, instant, isPartial, report });
  return published;
}

/** Maximum number of warnings kept per selector; each is a sentence. */
const MAX_WARNINGS = 10;
/** Types of other platforms, as lists of findings name them. */
async function publishDeclaredTypes(client: pg.ClientBase, graph: AttackGraph): Promise<void> {
  const declared = findingTypesOf(graph).slice(FINDING_TYPES.length);
  const ids = declared.map(({ id }) => id);
  const builtIn = FINDING_TYPES.map(({ id }) => id);
  await client.query('delete from finding_type where id <> all ($1)', [[...builtIn, ...ids]]);
  if (declared.length === 0) return;
  await client.query(
    `insert into finding_type (id, title, platform) select * from unnest($1::text[], $2::text[], $3::text[])
     on conflict (id) do update set title = excluded.title, platform = excluded.platform`,
    [ids, declared.map(({ title }) => title), declared.map(({ platform }) => platform)],
  );
}

/** Records for each selector whether its query works, and how long it takes. */
async function noteQueries(client: pg.ClientBase, queried: Queried): Promise<void> {
  const notes = [...queried].map(([id, selected]) => ({
    id,
    ms: selected.milliseconds ?? null,
    ...('error' in selected
      ? { error: selected.error, timed_out: selected.timedOut ?? null }
      : {
          error: null,
          timed_out: null,
          ...(selected.warnings?.length && { warnings: selected.warnings.slice(0, MAX_WARNINGS) }),
        }),
  }));
  await client.query(
    `update asset_group_tag_selector selector
     set query_error = noted.error, query_warnings = noted.warnings, query_timed_out = noted.timed_out, query_started_at = null,
       query_ms = coalesce(noted.ms, case when noted.id is not null then selector.query_ms end)
     from (
       select known.id as selector_id, given.* from asset_group_tag_selector known
       left join jsonb_to_recordset($1::jsonb) as given (id integer, ms integer, error text, warnings text[], timed_out jsonb)
         on given.id = known.id
     ) noted
     where noted.selector_id = selector.id
       and (selector.query_error, selector.query_warnings, selector.query_timed_out, selector.query_ms, selector.query_started_at)
         is distinct from (noted.error, noted.warnings, noted.timed_out, noted.ms, null)`,
    [storableJson(notes).json],
  );
}

/** Records immediately which selector an analysis waits for. @param id undefined if it waits for none */
async function noteSelector(client: pg.ClientBase, id: number | undefined): Promise<void> {
  await client.query(
    `update asset_group_tag_selector set query_started_at = case when id = $1 then clock_timestamp() end
     where id = $1 or query_started_at is not null`,
    [id ?? null],
  );
}

const MARKS = { tierZero: TIER_ZERO, owned: OWNED } as const;

/** Marks the nodes of the new generation that are in Tier Zero or owned. @returns members of all zones */
export function showZones({ graph, assigned }: FindingsOfGeneration, marks: NodeMarks): PublishedZone[] {
  return showMembers(membersOf(assigned), graph, marks);
}

/** Zones of an unpublished generation, in the form that queries use. */
export const zonesOfAssigned = (assigned: readonly AssignedZone[], nodeCount: number): PublishedZone[] =>
  publishedZones(membersOf(assigned), nodeCount);

const membersOf = (assigned: readonly AssignedZone[]) =>
  assigned.map(({ zone, assignment }) => ({ ...zone, members: assignment.tagged }));

/** Reads the zones from the store, for processes that load a generation made by another process. */
export async function loadZones(
  client: pg.ClientBase,
  graph: AttackGraph,
  marks: NodeMarks,
): Promise<PublishedZone[]> {
  const { rows } = await client.query<{ id: number; name: string; node_ids: number[] }>(
    `select zone.id, zone.name, array_agg(node_id) as node_ids
     from zone_member join asset_group_tag zone on zone.id = tag_id
     where tagged group by zone.id order by zone.id`,
  );
  return showMembers(
    rows.map(({ id, name, node_ids }) => ({ id, name, members: nodesByStoreId(graph, node_ids) })),
    graph,
    marks,
  );
}

function showMembers(
  zones: readonly { readonly id: number; readonly name: string; readonly members: NodeSet }[],
  { nodeCount }: AttackGraph,
  marks: NodeMarks,
): PublishedZone[] {
  for (const [mark, id] of Object.entries(MARKS) as [keyof typeof MARKS, number][]) {
    marks[mark].fill(0);
    zones.find((zone) => zone.id === id)?.members.addTo(marks[mark]);
  }
  return publishedZones(zones, nodeCount);
}

function publishedZones(
  zones: readonly { readonly id: number; readonly name: string; readonly members: NodeSet }[],
  nodeCount: number,
): PublishedZone[] {
  return zones
    .filter(({ members }) => !members.isEmpty)
    .map(({ id, name, members }) => {
      const bits = new Uint32Array(new SharedArrayBuffer(Math.ceil(nodeCount / 32) * 4));
      members.addTo(bits);
      return { id, kind: zoneKindName(name), members: bits };
    });
}

function nodesByStoreId(graph: AttackGraph, ids: readonly number[]): NodeSet {
  const nodes = ids.map((id) => findNodeByStoreId(graph, id)).filter((node) => node !== NO_NODE);
  return NodeSet.of(graph.nodeCount, nodes);
}

function labelsOf(
  graph: AttackGraph,
  { environments }: FindingsResult,
  customNodeKinds: ReadonlyMap<number, string>,
): NodeLabels {
  const labels = graph.kindSets.map((kinds) =>
    displayKind(kinds.map((kind) => nodeKindById(kind)?.name ?? customNodeKinds.get(kind) ?? 'Unknown')),
  );
  return {
    kindOf: (node) => labels[graph.kindSetOf[node]],
    environmentOf: (node) => environments.nodes[environments.of[node]] ?? NO_NODE,
  };
}
