/** Tags with their rules as they stand in the store, and what they select in a graph. */
import {
  type AnalysisContext,
  assignZones,
  type Expansion,
  type FindingZone,
  selectNodes,
  type ZoneAssignment,
  type ZoneDefinition,
  type ZoneMembers,
  type ZoneRule,
} from '@clew/analysis';
import { type AttackGraph, findNode, findNodeByStoreId, NO_NODE, NodeSet } from '@clew/graph';
import { type Criterion, DEFAULT_SELECTORS } from '@clew/model';
import { TagType } from '@clew/store';
import type pg from 'pg';

export const SeedType = { objectId: 1, query: 2 } as const;
export const AutoCertify = { off: 0, all: 1, seeds: 2 } as const;
/** States of a member. */
export const Certified = { pending: 0, revoked: 1, manual: 2, automatic: 3 } as const;

export interface StoredTag {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly position: number | null;
  readonly requireCertify: boolean;
  readonly analysisEnabled: boolean;
  /** Rules that are switched on. */
  readonly rules: readonly StoredRule[];
  /** What people decided, by graph id. */
  readonly decisions: ReadonlyMap<number, number>;
}

export interface StoredRule {
  readonly id: number;
  readonly defaultKey: string | null;
  readonly autoCertify: number;
  readonly objectIds: readonly string[];
}

/** How far members of each type of tag extend. */
const EXPANSIONS: Readonly<Record<number, Expansion>> = {
  [TagType.zone]: 'all',
  [TagType.label]: 'children',
  [TagType.owned]: 'none',
  [TagType.decoy]: 'none',
};

const CRITERIA: ReadonlyMap<string, Criterion> = new Map(
  DEFAULT_SELECTORS.map(({ key, criterion }) => [key, criterion]),
);

export async function readTags(client: pg.ClientBase): Promise<StoredTag[]> {
  const { rows } = await client.query<StoredTag & { decided: [node: number, certified: number][] }>(
    `select id, name, type, position, coalesce(require_certify, false) as "requireCertify",
            coalesce(analysis_enabled, false) as "analysisEnabled",
            coalesce((
              select jsonb_agg(jsonb_build_object(
                'id', selector.id, 'defaultKey', selector.default_key, 'autoCertify', selector.auto_certify,
                'objectIds', (
                  select coalesce(jsonb_agg(seed.value order by seed.value), '[]')
                  from asset_group_tag_selector_seed seed
                  where seed.selector_id = selector.id and seed.type = ${SeedType.objectId}
                )
              ) order by selector.id)
              from asset_group_tag_selector selector
              where selector.asset_group_tag_id = tag.id and selector.disabled_at is null
            ), '[]') as rules,
            coalesce((
              select jsonb_agg(jsonb_build_array(node_id, certified)) from zone_decision where tag_id = tag.id
            ), '[]') as decided
     from asset_group_tag tag
     where deleted_at is null
     order by id`,
  );
  return rows.map(({ decided, ...tag }) => ({ ...tag, decisions: new Map(decided) }));
}

/** A tag in one graph. */
export interface AssignedTag {
  readonly tag: StoredTag;
  readonly assignment: ZoneAssignment;
  /** State of each member by its node. */
  readonly certified: ReadonlyMap<number, number>;
}

export function assignTags(context: AnalysisContext, tags: readonly StoredTag[]): AssignedTag[] {
  const definitions = tags.map((tag) => definitionOf(context, tag));
  const assignments = new Map(assignZones(context, definitions).map((found) => [found.id, found]));
  return tags.map((tag) => {
    const assignment = assignments.get(tag.id) as ZoneAssignment;
    return { tag, assignment, certified: certificationOf(context.graph, tag, assignment) };
  });
}

/** Seeds that are not in the graph are passed over; they count again when the object returns. */
export function seedsOf(
  context: AnalysisContext,
  rule: Pick<StoredRule, 'defaultKey' | 'objectIds'>,
): NodeSet {
  const criterion = CRITERIA.get(rule.defaultKey ?? '');
  if (criterion !== undefined) return selectNodes(context, criterion);
  const nodes = rule.objectIds.map((id) => findNode(context.graph, id.toUpperCase()));
  return NodeSet.of(
    context.graph.nodeCount,
    nodes.filter((node) => node !== NO_NODE),
  );
}

export function expansionOf(tagType: number): Expansion {
  return EXPANSIONS[tagType];
}

function definitionOf(context: AnalysisContext, tag: StoredTag): ZoneDefinition {
  const definition = {
    id: tag.id,
    position: tag.position,
    expansion: expansionOf(tag.type),
    rules: tag.rules.map((rule) => ({ id: rule.id, seeds: seedsOf(context, rule) })),
  };
  if (!tag.requireCertify) return definition;
  const rules = new Map(tag.rules.map((rule) => [rule.id, rule]));
  const { approved, revoked } = decidedNodes(context.graph, tag);
  return {
    ...definition,
    certified: (members: ZoneMembers, { id }: ZoneRule) =>
      automaticallyCertified(members, rules.get(id)?.autoCertify)
        .or(members.all.and(approved))
        .andNot(revoked),
  };
}

function automaticallyCertified(members: ZoneMembers, autoCertify = AutoCertify.off as number): NodeSet {
  if (autoCertify === AutoCertify.all) return members.all;
  return autoCertify === AutoCertify.seeds ? members.seeds : NodeSet.empty(members.all.capacity);
}

/** Decisions of people win over what happens by itself. */
function decidedNodes(graph: AttackGraph, { decisions }: StoredTag): { approved: NodeSet; revoked: NodeSet } {
  const nodesWith = (state: number): NodeSet => {
    const ids = [...decisions].filter(([, certified]) => certified === state).map(([id]) => id);
    const nodes = ids.map((id) => findNodeByStoreId(graph, id)).filter((node) => node !== NO_NODE);
    return NodeSet.of(graph.nodeCount, nodes);
  };
  return { approved: nodesWith(Certified.manual), revoked: nodesWith(Certified.revoked) };
}

function certificationOf(
  graph: AttackGraph,
  tag: StoredTag,
  { byRule }: ZoneAssignment,
): ReadonlyMap<number, number> {
  const states = new Map<number, number>();
  for (const { id, autoCertify } of tag.rules) {
    const members = byRule.get(id) as ZoneMembers;
    const automatic = automaticallyCertified(members, autoCertify);
    members.all.forEach((node) => {
      if (automatic.has(node)) states.set(node, Certified.automatic);
      else if (!states.has(node)) states.set(node, Certified.pending);
    });
  }
  for (const node of states.keys()) {
    const decision = tag.decisions.get(graph.storeIds[node]);
    if (decision !== undefined) states.set(node, decision);
  }
  return states;
}

/** @returns the zones for findings; labels and marks are none. */
export function findingZones(assigned: readonly AssignedTag[]): FindingZone[] {
  return assigned.flatMap(({ tag, assignment, certified }) => {
    if (tag.position === null) return [];
    const members = assignment.tagged;
    const all = NodeSet.of(members.capacity, [...certified.keys()]);
    const pending = tag.requireCertify ? all.andNot(members) : NodeSet.empty(members.capacity);
    return [{ id: tag.id, position: tag.position, analysed: tag.analysisEnabled, members, pending }];
  });
}
