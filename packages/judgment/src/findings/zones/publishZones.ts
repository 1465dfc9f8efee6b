/** Writes the zone members of a generation. Rows of unchanged members keep their numbers. */
import type { ZoneMembers } from '@clew/analysis';
import { type AttackGraph, NO_NODE, nameOf, objectIdOf } from '@clew/graph';
import { copyIn, createStaged, indexStaged, SYSTEM_ACTOR, stagedTable } from '@clew/store';
import type pg from 'pg';
import { RECORD_STAYS } from './memberHistory.ts';
import { type AssignedZone, Certified, SOURCES } from './storedZones.ts';
import { FORGET_OLD_HISTORY } from './zoneHistory.ts';

export interface NodeLabels {
  /** @returns the displayed kind of a node */
  kindOf(node: number): string;
  /** @returns the environment of a node, or `NO_NODE` */
  environmentOf(node: number): number;
}

/** @param client in the transaction of the generation */
export async function publishZones(
  client: pg.ClientBase,
  graph: AttackGraph,
  labels: NodeLabels,
  assigned: readonly AssignedZone[],
  instant: string,
): Promise<void> {
  await stageMembers(client, graph, labels, assigned);
  await indexStaged(client, STAGE_MEMBER, ['tag_id', 'node_id']);
  await indexStaged(client, STAGE_MEMBER, ['tag_id', 'object_id']);
  await stageRuleMembers(client, graph, assigned);
  await indexStaged(client, STAGE_RULE_MEMBER, ['selector_id', 'node_id']);
  for (const { sql, dated } of [...RECONCILE, ...RECORD_STAYS])
    await client.query(sql, dated ? [instant] : []);
}

const STAGE_MEMBER = stagedTable('stage_zone_member', [
  ['tag_id', 'int4'],
  ['node_id', 'int4'],
  ['object_id', 'ctext'],
  ['name', 'text'],
  ['primary_kind', 'text'],
  ['environment_id', 'text', 'nullable'],
  ['source', 'int2'],
  ['certified', 'int2'],
  ['tagged', 'bool'],
]);

const STAGE_RULE_MEMBER = stagedTable('stage_zone_rule_member', [
  ['selector_id', 'int4'],
  ['node_id', 'int4'],
  ['source', 'int2'],
]);

async function stageMembers(
  client: pg.ClientBase,
  graph: AttackGraph,
  labels: NodeLabels,
  assigned: readonly AssignedZone[],
): Promise<void> {
  await createStaged(client, STAGE_MEMBER);
  const members = assigned.flatMap((one) => {
    const sources = sourcesOf(one);
    return [...one.certified].map(([node, certified]) => ({
      ...one,
      node,
      certified,
      source: sources.get(node),
    }));
  });
  await copyIn(client, STAGE_MEMBER, members.length, (rows, at) => {
    const { zone, assignment, node, certified, source } = members[at];
    const environment = labels.environmentOf(node);
    rows
      .begin()
      .tag_id(zone.id)
      .node_id(graph.storeIds[node])
      .object_id(objectIdOf(graph, node))
      .name(nameOf(graph, node))
      .primary_kind(labels.kindOf(node))
      .environment_id(environment === NO_NODE ? null : objectIdOf(graph, environment))
      .source(source as number)
      .certified(certified)
      .tagged(assignment.tagged.has(node));
  });
}

/** The nearest selection over all selectors of the zone, by node. */
function sourcesOf({ assignment }: AssignedZone): ReadonlyMap<number, number> {
  const sources = new Map<number, number>();
  for (const members of assignment.bySelector.values()) {
    eachMember(members, (node, source) => sources.set(node, Math.min(source, sources.get(node) ?? source)));
  }
  return sources;
}

function eachMember(
  { seeds, children, parents }: ZoneMembers,
  visit: (node: number, source: number) => void,
): void {
  for (const node of seeds) visit(node, SOURCES.seed);
  for (const node of children) visit(node, SOURCES.child);
  for (const node of parents) visit(node, SOURCES.parent);
}

async function stageRuleMembers(
  client: pg.ClientBase,
  graph: AttackGraph,
  assigned: readonly AssignedZone[],
): Promise<void> {
  await createStaged(client, STAGE_RULE_MEMBER);
  const found: (readonly [selector: number, node: number, source: number])[] = [];
  for (const { assignment } of assigned) {
    for (const [selector, members] of assignment.bySelector) {
      eachMember(members, (node, source) => found.push([selector, node, source]));
    }
  }
  await copyIn(client, STAGE_RULE_MEMBER, found.length, (rows, at) => {
    const [selector, node, source] = found[at];
    rows.begin().selector_id(selector).node_id(graph.storeIds[node]).source(source);
  });
}

const COLUMNS = ['object_id', 'name', 'primary_kind', 'environment_id', 'source', 'certified', 'tagged'];
const listOf = (table: string): string => COLUMNS.map((column) => `${table}.${column}`).join(', ');

/** Writes automatic certifications into the history, except for members that a user decided about while the generation was built. */
const RECORD_CERTIFIED = `
  insert into asset_group_history (actor, action, target, asset_group_tag_id, environment_id)
  select '${SYSTEM_ACTOR}', 'CertifyNodeAuto', coalesce(nullif(staged.name, ''), staged.object_id), staged.tag_id,
         staged.environment_id
  from stage_zone_member staged
  where staged.certified = ${Certified.automatic} and not exists (
    select from zone_member
    where zone_member.tag_id = staged.tag_id and zone_member.node_id = staged.node_id
      and zone_member.certified = ${Certified.automatic})
    and not exists (
      select from zone_decision
      where zone_decision.tag_id = staged.tag_id and zone_decision.node_id = staged.node_id)
  order by staged.tag_id, staged.name, staged.object_id`;

const RECONCILE: readonly { readonly sql: string; readonly dated: boolean }[] = [
  { dated: false, sql: FORGET_OLD_HISTORY },
  { dated: false, sql: RECORD_CERTIFIED },
  {
    dated: false,
    sql: `delete from zone_member where not exists (
            select from stage_zone_member staged
            where staged.tag_id = zone_member.tag_id and staged.node_id = zone_member.node_id)`,
  },
  {
    dated: true,
    sql: `merge into zone_member
          using stage_zone_member staged
          on zone_member.tag_id = staged.tag_id and zone_member.node_id = staged.node_id
          when matched and (${listOf('zone_member')}) is distinct from (${listOf('staged')}) then update set
            ${COLUMNS.map((column) => `${column} = staged.${column}`).join(', ')}, updated_at = $1
          when not matched then
            insert (tag_id, node_id, ${COLUMNS.join(', ')}, created_at, updated_at)
            values (staged.tag_id, staged.node_id, ${listOf('staged')}, $1, $1)`,
  },
  // Also decisions that were made while the generation was built.
  {
    dated: false,
    sql: `update zone_member set certified = zone_decision.certified, certified_by = decided_by from zone_decision
          where zone_decision.tag_id = zone_member.tag_id and zone_decision.node_id = zone_member.node_id
            and (zone_member.certified, certified_by) is distinct from (zone_decision.certified, decided_by)`,
  },
  {
    dated: false,
    sql: `delete from zone_rule_member where not exists (
            select from stage_zone_rule_member staged
            where staged.selector_id = zone_rule_member.selector_id and staged.node_id = zone_rule_member.node_id)`,
  },
  // If a selector was removed while the generation was built, its members are skipped.
  {
    dated: false,
    sql: `insert into zone_rule_member (selector_id, node_id, source)
          select selector_id, node_id, source from stage_zone_rule_member
          where exists (select from asset_group_tag_selector selector where selector.id = selector_id for share)
          on conflict (selector_id, node_id) do update set source = excluded.source
          where zone_rule_member.source <> excluded.source`,
  },
];
