/** Stored zones with their selectors, and the objects that they select in a graph. */
import {
  type AnalysisContext,
  assignZones,
  type Expansion,
  type FindingZone,
  type MemberSource,
  selectNodes,
  type ZoneAssignment,
  type ZoneDefinition,
  type ZoneMembers,
  type ZoneSelector,
} from '@clew/analysis';
import type { Selected, SelectorQuery, TimedOut } from '@clew/explore';
import { type AttackGraph, findNamedNode, findNodeByStoreId, NO_NODE, NodeSet } from '@clew/graph';
import { type Criterion, DEFAULT_SELECTORS } from '@clew/model';
import { type Statements, ZoneType } from '@clew/store';

export const SeedType = { objectId: 1, query: 2 } as const;
/** Numbers that clients use for the sources of membership; the first applies if there are several. */
export const SOURCES: Readonly<Record<MemberSource, number>> = { seed: 1, child: 2, parent: 3 };
export const AutoCertify = { off: 0, all: 1, seeds: 2 } as const;
/** States of a member. */
export const Certified = { pending: 0, revoked: 1, manual: 2, automatic: 3 } as const;

export interface StoredZone {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly position: number | null;
  readonly requireCertify: boolean;
  readonly analysisEnabled: boolean;
  /** Enabled selectors. */
  readonly selectors: readonly StoredSelector[];
  /** Manual decisions, by graph id. */
  readonly decisions: ReadonlyMap<number, number>;
}

export interface StoredSelector {
  readonly id: number;
  readonly defaultKey: string | null;
  readonly autoCertify: number;
  readonly objectIds: readonly string[];
  readonly queries: readonly string[];
  /** Duration of the last queries. */
  readonly queryMs: number | null;
  readonly timedOut: TimedOut | null;
  /** Graph ids selected by the last successful query; they are kept if the query fails. */
  readonly selectedBefore: readonly number[];
}

/** How far members of each type of zone expand. */
const EXPANSIONS: Readonly<Record<number, Expansion>> = {
  [ZoneType.zone]: 'all',
  [ZoneType.label]: 'children',
  [ZoneType.owned]: 'none',
  [ZoneType.decoy]: 'none',
};

const CRITERIA: ReadonlyMap<string, Criterion> = new Map(
  DEFAULT_SELECTORS.map(({ key, criterion }) => [key, criterion]),
);

export async function readStoredZones(client: Statements): Promise<StoredZone[]> {
  const { rows } = await client.query<StoredZone & { decided: [node: number, certified: number][] }>(
    `select id, name, type, position, coalesce(require_certify, false) as "requireCertify",
            coalesce(analysis_enabled, false) as "analysisEnabled",
            coalesce((
              select jsonb_agg(jsonb_build_object(
                'id', selector.id, 'defaultKey', selector.default_key, 'autoCertify', selector.auto_certify,
                'objectIds', (
                  select coalesce(jsonb_agg(seed.value order by seed.value), '[]')
                  from asset_group_tag_selector_seed seed
                  where seed.selector_id = selector.id and seed.type = ${SeedType.objectId}
                ),
                'queries', (
                  select coalesce(jsonb_agg(seed.value order by seed.value), '[]')
                  from asset_group_tag_selector_seed seed
                  where seed.selector_id = selector.id and seed.type = ${SeedType.query} and not selector.is_default
                ),
                'queryMs', selector.query_ms,
                'timedOut', selector.query_timed_out,
                'selectedBefore', (
                  select coalesce(jsonb_agg(member.node_id), '[]')
                  from zone_rule_member member
                  where member.selector_id = selector.id and member.source = ${SOURCES.seed} and not selector.is_default
                    and exists (
                      select from asset_group_tag_selector_seed seed
                      where seed.selector_id = selector.id and seed.type = ${SeedType.query}
                    )
                )
              ) order by selector.id)
              from asset_group_tag_selector selector
              where selector.asset_group_tag_id = zone.id and selector.disabled_at is null
            ), '[]') as selectors,
            coalesce((
              select jsonb_agg(jsonb_build_array(node_id, certified)) from zone_decision where tag_id = zone.id
            ), '[]') as decided
     from asset_group_tag zone
     where deleted_at is null
     order by id`,
  );
  return rows.map(({ decided, ...zone }) => ({ ...zone, decisions: new Map(decided) }));
}

/** A zone in one graph. */
export interface AssignedZone {
  readonly zone: StoredZone;
  readonly assignment: ZoneAssignment;
  /** State of each member by its node. */
  readonly certified: ReadonlyMap<number, number>;
}

/** Results of selector queries, by selector. */
export type Queried = ReadonlyMap<number, Selected>;

export function assignStoredZones(
  context: AnalysisContext,
  zones: readonly StoredZone[],
  queried: Queried,
): AssignedZone[] {
  const definitions = zones.map((zone) => definitionOf(context, zone, queried));
  const assignments = new Map(assignZones(context, definitions).map((found) => [found.id, found]));
  return zones.map((zone) => {
    const assignment = assignments.get(zone.id) as ZoneAssignment;
    return { zone, assignment, certified: certificationOf(context.graph, zone, assignment) };
  });
}

/** Seeds that are not in the graph are skipped; they count again when the object returns. */
export function seedsOf(
  context: AnalysisContext,
  selector: Pick<StoredSelector, 'defaultKey' | 'objectIds'>,
): NodeSet {
  const criterion = CRITERIA.get(selector.defaultKey ?? '');
  if (criterion !== undefined) return selectNodes(context, criterion);
  const nodes = selector.objectIds.map((id) => findNamedNode(context.graph, id));
  return NodeSet.of(
    context.graph.nodeCount,
    nodes.filter((node) => node !== NO_NODE),
  );
}

/** Returns the nodes that a selector query selects; if it failed, its previous nodes. */
function selectedNodes(
  graph: AttackGraph,
  { selectedBefore }: StoredSelector,
  selected: Selected | undefined,
): NodeSet {
  if (selected === undefined) return NodeSet.empty(graph.nodeCount);
  if ('nodes' in selected) return NodeSet.of(graph.nodeCount, selected.nodes);
  return NodeSet.of(graph.nodeCount, nodesOf(graph, selectedBefore));
}

/** Queries of all zones, in order. */
export function queriesOf(zones: readonly StoredZone[]): SelectorQuery[] {
  return zones.flatMap(({ selectors }) =>
    selectors
      .filter(({ queries }) => queries.length > 0)
      .map(({ id, queries, queryMs, timedOut }) => ({
        ...{ selectorId: id, queries },
        ...(queryMs !== null && { milliseconds: queryMs }),
        ...(timedOut !== null && { timedOut }),
      })),
  );
}

/** Returns the query results of the last published generation, without running queries. */
export function selectedLast(graph: AttackGraph, zones: readonly StoredZone[]): Queried {
  const selectors = zones.flatMap((zone) => zone.selectors.filter(({ queries }) => queries.length > 0));
  return new Map(selectors.map(({ id, selectedBefore }) => [id, { nodes: nodesOf(graph, selectedBefore) }]));
}

function nodesOf(graph: AttackGraph, storeIds: readonly number[]): number[] {
  return storeIds.map((id) => findNodeByStoreId(graph, id)).filter((node) => node !== NO_NODE);
}

export function expansionOf(zoneType: number): Expansion {
  return EXPANSIONS[zoneType];
}

function definitionOf(context: AnalysisContext, zone: StoredZone, queried: Queried): ZoneDefinition {
  const definition = {
    id: zone.id,
    position: zone.position,
    expansion: expansionOf(zone.type),
    selectors: zone.selectors.map((selector) => ({
      id: selector.id,
      seeds: seedsOf(context, selector).or(selectedNodes(context.graph, selector, queried.get(selector.id))),
    })),
  };
  if (!zone.requireCertify) return definition;
  const selectors = new Map(zone.selectors.map((selector) => [selector.id, selector]));
  const { approved, revoked } = decidedNodes(context.graph, zone);
  return {
    ...definition,
    certified: (members: ZoneMembers, { id }: ZoneSelector) =>
      automaticallyCertified(members, selectors.get(id)?.autoCertify)
        .or(members.all.and(approved))
        .andNot(revoked),
  };
}

function automaticallyCertified(members: ZoneMembers, autoCertify = AutoCertify.off as number): NodeSet {
  if (autoCertify === AutoCertify.all) return members.all;
  return autoCertify === AutoCertify.seeds ? members.seeds : NodeSet.empty(members.all.capacity);
}

/** Manual decisions override automatic ones. */
function decidedNodes(
  graph: AttackGraph,
  { decisions }: StoredZone,
): { approved: NodeSet; revoked: NodeSet } {
  const nodesWith = (state: number): NodeSet => {
    const ids = [...decisions].filter(([, certified]) => certified === state).map(([id]) => id);
    return NodeSet.of(graph.nodeCount, nodesOf(graph, ids));
  };
  return { approved: nodesWith(Certified.manual), revoked: nodesWith(Certified.revoked) };
}

function certificationOf(
  graph: AttackGraph,
  zone: StoredZone,
  { bySelector }: ZoneAssignment,
): ReadonlyMap<number, number> {
  const states = new Map<number, number>();
  for (const { id, autoCertify } of zone.selectors) {
    const members = bySelector.get(id) as ZoneMembers;
    const automatic = automaticallyCertified(members, autoCertify);
    members.all.forEach((node) => {
      if (automatic.has(node)) states.set(node, Certified.automatic);
      else if (!states.has(node)) states.set(node, Certified.pending);
    });
  }
  for (const node of states.keys()) {
    const decision = zone.decisions.get(graph.storeIds[node]);
    if (decision !== undefined) states.set(node, decision);
  }
  return states;
}

/** @returns the zones for findings; labels and marks are not zones */
export function findingZones(assigned: readonly AssignedZone[]): FindingZone[] {
  return assigned.flatMap(({ zone, assignment, certified }) => {
    if (zone.position === null) return [];
    const members = assignment.tagged;
    const all = NodeSet.of(members.capacity, [...certified.keys()]);
    const pending = zone.requireCertify ? all.andNot(members) : NodeSet.empty(members.capacity);
    return [{ id: zone.id, position: zone.position, analyzed: zone.analysisEnabled, members, pending }];
  });
}
