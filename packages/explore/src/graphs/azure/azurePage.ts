/** Entra ID and Azure objects as JSON: individually, and in pages of related lists. */
import type { AzureNode } from '@clew/api';
import { pageStream } from '@clew/common';
import { labelOf, type QueryData, shownKindsOf } from '@clew/queries';
import type { NodeDetails, NodePropertySource } from '@clew/store';
import { shownProps } from '../handlers/entityHandlers.ts';
import type { PageRequest } from '../render/listPage.ts';
import { isOwned, isTierZero } from '../render/nodeSigns.ts';

/** Number of entries written at once: about 1 ms of work, and one query of the store. */
const CHUNK = 500;

/** The properties have both names that clients read. */
export function azureNode(
  data: QueryData,
  node: number,
  details: NodeDetails | undefined,
  more: Readonly<Record<string, string>> = {},
): AzureNode {
  const props = { ...shownProps(data, node, details), ...more };
  return {
    kind: labelOf(data, node),
    kinds: [...shownKindsOf(data, node)],
    props,
    properties: props,
    isTierZero: isTierZero(data, node),
    isOwnedObject: isOwned(data, node),
  };
}

/** Writes a large page in pieces, so that it neither fills memory nor delays other requests. */
export async function azurePage(
  data: QueryData,
  source: NodePropertySource,
  nodes: Uint32Array,
  { skip, limit }: PageRequest,
) {
  const page = nodes.subarray(Math.min(skip, nodes.length), Math.min(skip + limit, nodes.length));
  const head = { count: nodes.length, skip, limit };
  if (page.length <= CHUNK) {
    return { status: 200 as const, json: { ...head, data: await entries(data, source, page) } };
  }
  return {
    status: 200 as const,
    mediaType: 'application/json',
    stream: pageStream(head, batches(data, source, page)),
  };
}

async function* batches(
  data: QueryData,
  source: NodePropertySource,
  page: Uint32Array,
): AsyncGenerator<readonly AzureNode[]> {
  for (let at = 0; at < page.length; at += CHUNK) {
    yield await entries(data, source, page.subarray(at, at + CHUNK));
  }
}

async function entries(
  data: QueryData,
  source: NodePropertySource,
  nodes: Uint32Array,
): Promise<AzureNode[]> {
  const details = await source.read(Array.from(nodes, (node) => data.graph.storeIds[node]));
  return Array.from(nodes, (node) => azureNode(data, node, details.get(data.graph.storeIds[node])));
}
