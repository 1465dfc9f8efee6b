/** Object ids in the properties of an Azure entity that are stored as edges. */
import type { AzureEntityKind } from '@clew/api';
import { type AttackGraph, objectIdOf } from '@clew/graph';
import { EdgeKind, type EdgeKindName } from '@clew/model';
import type { QueryData } from '@clew/queries';
import { isVisible, type Visibility } from '../visibility.ts';

interface Link {
  readonly property: string;
  readonly along: 'out' | 'in';
  readonly edge: EdgeKindName;
}

/** Rule: `docs/reference/azurehound.md#entity-lists`, added properties. */
const LINKS: Readonly<Partial<Record<AzureEntityKind, Link>>> = {
  AZApp: { property: 'service_principal_id', along: 'out', edge: 'AZRunsAs' },
  AZServicePrincipal: { property: 'appid', along: 'in', edge: 'AZRunsAs' },
  AZFederatedIdentityCredential: { property: 'appid', along: 'out', edge: 'AZAuthenticatesTo' },
};

/** The id is empty if nothing is linked, or the caller may not see it. */
export function linkedIds(
  data: QueryData,
  visibility: Visibility,
  node: number,
  kind: AzureEntityKind,
): Readonly<Record<string, string>> {
  const link = LINKS[kind];
  if (link === undefined) return {};
  const linked = ends(data.graph, node, link).filter((end) => isVisible(data, visibility, end));
  const { environmentOf } = data.graph;
  // A multi-tenant application runs as one service principal in each tenant: that of its own tenant comes first.
  const chosen = linked.find((end) => environmentOf[end] === environmentOf[node]) ?? linked[0];
  return { [link.property]: chosen === undefined ? '' : objectIdOf(data.graph, chosen) };
}

function ends(graph: AttackGraph, node: number, { along, edge }: Link): number[] {
  const { offsets, neighbors, kinds } = graph[along];
  const found: number[] = [];
  for (let at = offsets[node]; at < offsets[node + 1]; at++) {
    if (kinds[at] === EdgeKind[edge]) found.push(neighbors[at]);
  }
  return found;
}
