/**
 * Zones and findings as a step of building a generation: worked out once the edges are derived, published with it. A
 * step that breaks takes nothing away: the graph is published, and the findings of the run before stay.
 */
import {
  AnalysisContext,
  type AnalysisOptions,
  type FindingsResult,
  findFindings,
  findingEdgeProperties,
  findingProperties,
  type ScannedComputers,
} from '@clew/analysis';
import {
  type AttackGraph,
  type EdgeProperties,
  findNodeByStoreId,
  NO_NODE,
  type NodeProperties,
  NodeSet,
  objectIdOf,
} from '@clew/graph';
import { displayKind, nodeKindById } from '@clew/model';
import type pg from 'pg';
import type { NodeMarks } from '../generation/nodeMarks.ts';
import { OWNED, TIER_ZERO } from '../store/defaultZones.ts';
import { endExpiredOn } from './acceptance.ts';
import { takeInstantOn } from './instants.ts';
import { publishFigures } from './publish/publishFigures.ts';
import { type PublishedFindings, publishFindings } from './publish/publishFindings.ts';
import { type NodeLabels, publishZones } from './zones/publishZones.ts';
import { type AssignedTag, assignTags, findingZones, readTags } from './zones/storedZones.ts';

/** Properties to load for this step, beside those of the rules. */
export const FINDING_READS = { nodeProperties: findingProperties(), edgeProperties: findingEdgeProperties() };

export interface FindingFactsInput {
  /** With derived edges. */
  readonly graph: AttackGraph;
  readonly properties: NodeProperties;
  readonly edgeProperties: EdgeProperties;
  readonly options: AnalysisOptions;
  readonly customNodeKinds: ReadonlyMap<number, string>;
  readonly scanned: ScannedComputers;
  /** Analysis was not whole: some edges are those of an earlier run. */
  readonly isPartial: boolean;
}

export interface FindingsOfGeneration {
  readonly graph: AttackGraph;
  readonly labels: NodeLabels;
  readonly assigned: readonly AssignedTag[];
  readonly result: FindingsResult;
  readonly isPartial: boolean;
}

/** @param client in no transaction */
export async function workOutFindings(
  client: pg.ClientBase,
  facts: FindingFactsInput,
  now = Date.now(),
): Promise<FindingsOfGeneration> {
  const { graph } = facts;
  const tags = await readTags(client);
  const context = new AnalysisContext(facts);
  const assigned = assignTags(context, tags);
  const zones = findingZones(assigned);
  const result = findFindings({ context, zones, now: now / 1000, scanned: facts.scanned });
  const labels = labelsOf(graph, result, facts.customNodeKinds);
  return { graph, labels, assigned, result, isPartial: facts.isPartial || result.failed.size > 0 };
}

/** @param client in the transaction of the generation */
export async function publishWorkedOut(
  client: pg.ClientBase,
  generation: number,
  found: FindingsOfGeneration,
): Promise<PublishedFindings> {
  const { graph, labels, assigned, result, isPartial } = found;
  const instant = await takeInstantOn(client);
  await endExpiredOn(client, instant);
  await publishZones(client, graph, labels, assigned, instant);
  const tags = findingZones(assigned).flatMap(({ id, analysed }) => (analysed ? [id] : []));
  const published = await publishFindings(client, graph, labels, result, tags, instant);
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

/** Shows Tier Zero and what is owned on the nodes of the generation that is made. */
export function markZones({ assigned }: FindingsOfGeneration, marks: NodeMarks): void {
  for (const [mark, id] of [
    ['tierZero', TIER_ZERO],
    ['owned', OWNED],
  ] as const) {
    marks[mark].fill(0);
    assigned.find(({ tag }) => tag.id === id)?.assignment.tagged.addTo(marks[mark]);
  }
}

/** The same from the store, for those who load a generation that another process made. */
export async function loadZoneMarks(
  client: pg.ClientBase,
  graph: AttackGraph,
  marks: NodeMarks,
): Promise<void> {
  const { rows } = await client.query<{ tag_id: number; node_ids: number[] }>(
    'select tag_id, array_agg(node_id) as node_ids from zone_member where tagged and tag_id = any ($1) group by 1',
    [[TIER_ZERO, OWNED]],
  );
  for (const [mark, id] of [
    ['tierZero', TIER_ZERO],
    ['owned', OWNED],
  ] as const) {
    const members = rows.find(({ tag_id }) => tag_id === id)?.node_ids ?? [];
    marks[mark].fill(0);
    nodesByStoreId(graph, members).addTo(marks[mark]);
  }
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
