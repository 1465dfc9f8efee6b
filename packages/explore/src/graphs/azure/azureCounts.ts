/** The counts in the details of an Azure entity: each is the length of its list. */
import { AZURE_DESCENDENTS, type AzureEntityType, type AzureRelatedType } from '@clew/api';
import type { RequestContext } from '@clew/common';
import { kindTest } from '@clew/graph';
import { NodeKind, type NodeKindName } from '@clew/model';
import type { AzureListKey, QueryData } from '@clew/queries';
import { visibleLists } from '../handlers/visibleLists.ts';
import type { QueryServices } from '../queryServices.ts';

const KIND_OF_DESCENDENTS: ReadonlyMap<AzureRelatedType, NodeKindName> = new Map(AZURE_DESCENDENTS);

/** @returns the counts, nested like in the answer; a count that could not be computed is missing */
export async function azureCounts(
  services: QueryServices,
  { counts }: AzureEntityType,
  data: QueryData,
  root: number,
  context: RequestContext,
): Promise<Readonly<Record<string, unknown>>> {
  const keys = new Set(counts.map(([, list]) => listToWalk(list)));
  const lists = await visibleLists(services, keys, data, root, context);
  const answer: Record<string, unknown> = {};
  for (const [place, list] of counts) {
    const nodes = lists.get(listToWalk(list));
    if (nodes === undefined) continue;
    const kind = KIND_OF_DESCENDENTS.get(list);
    setAt(answer, place, kind === undefined ? nodes.length : countOfKind(data, nodes, kind));
  }
  return answer;
}

/** The contents of a container are visited once, and counted by kind: a tenant has lists of 17 kinds. */
function listToWalk(list: AzureRelatedType): AzureListKey {
  return KIND_OF_DESCENDENTS.has(list) ? 'azure/descendents' : `azure/${list}`;
}

const byKindSet = new WeakMap<Uint32Array, Uint32Array>();

function countOfKind({ graph }: QueryData, nodes: Uint32Array, kind: NodeKindName): number {
  let tally = byKindSet.get(nodes);
  if (tally === undefined) {
    tally = new Uint32Array(graph.kindSets.length);
    for (const node of nodes) tally[graph.kindSetOf[node]]++;
    byKindSet.set(nodes, tally);
  }
  const carries = kindTest(graph, NodeKind[kind]);
  return tally.reduce((sum, count, set) => sum + count * carries[set], 0);
}

function setAt(answer: Record<string, unknown>, place: readonly string[], value: number): void {
  const [key, ...rest] = place;
  if (rest.length === 0) {
    answer[key] = value;
    return;
  }
  answer[key] ??= {};
  setAt(answer[key] as Record<string, unknown>, rest, value);
}
