/** Entra ID and Azure objects as JSON: single, and as pages of related lists. */
import type { AzureNode } from '@clew/api';
import { labelOf, type QueryData, shownKindsOf } from '@clew/queries';
import type { NodeDetails, NodePropertySource } from '@clew/store';
import type { Answer } from '../../operation/handler.ts';
import { jsonStream } from '../../operation/jsonStream.ts';
import { shownProps } from '../handlers/entityHandlers.ts';
import type { PageRequest } from '../render/listPage.ts';
import { isOwned, isTierZero } from '../render/nodeSigns.ts';

/** Entries written at once: about 1 ms of work, and one question to the store. */
const CHUNK = 500;

/** The properties stand under both names that clients read. */
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

/** A large page is written in pieces, so that it neither fills memory nor holds up other requests. */
export async function azurePage(
  data: QueryData,
  source: NodePropertySource,
  nodes: Uint32Array,
  { skip, limit }: PageRequest,
): Promise<Answer> {
  const page = nodes.subarray(Math.min(skip, nodes.length), Math.min(skip + limit, nodes.length));
  const head = { count: nodes.length, skip, limit };
  if (page.length <= CHUNK) {
    return { status: 200, json: { ...head, data: await entries(data, source, page) } };
  }
  return {
    status: 200,
    mediaType: 'application/json',
    stream: jsonStream(pieces(data, source, page, `${JSON.stringify(head).slice(0, -1)},"data":[`)),
  };
}

async function* pieces(
  data: QueryData,
  source: NodePropertySource,
  page: Uint32Array,
  head: string,
): AsyncGenerator<string> {
  yield head;
  for (let at = 0; at < page.length; at += CHUNK) {
    const chunk = await entries(data, source, page.subarray(at, at + CHUNK));
    const text = JSON.stringify(chunk).slice(1, -1);
    yield at === 0 ? text : `,${text}`;
  }
  yield ']}';
}

async function entries(
  data: QueryData,
  source: NodePropertySource,
  nodes: Uint32Array,
): Promise<AzureNode[]> {
  const details = await source.read(Array.from(nodes, (node) => data.graph.storeIds[node]));
  return Array.from(nodes, (node) => azureNode(data, node, details.get(data.graph.storeIds[node])));
}
