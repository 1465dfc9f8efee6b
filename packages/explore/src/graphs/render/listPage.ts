/** Pages of related lists: `{count, limit, skip, data}` with node entries. */
import type { NodeListEntry } from '@clew/api';
import { pageStream } from '@clew/common';
import { nameOf, objectIdOf } from '@clew/graph';
import { labelOf, type QueryData, shownKindsOf } from '@clew/queries';

export interface PageRequest {
  readonly skip: number;
  readonly limit: number;
}

/** Number of entries written at once: about 1 ms of work. */
const CHUNK = 1_000;

/** Writes a large page in pieces, so that it neither fills memory nor delays other requests. */
export function listPage(data: QueryData, nodes: Uint32Array, { skip, limit }: PageRequest) {
  const page = nodes.subarray(Math.min(skip, nodes.length), Math.min(skip + limit, nodes.length));
  const head = { count: nodes.length, limit, skip };
  if (page.length <= CHUNK) return { status: 200 as const, json: { ...head, data: entries(data, page) } };
  return {
    status: 200 as const,
    mediaType: 'application/json',
    stream: pageStream(head, batches(data, page)),
  };
}

function* batches(data: QueryData, page: Uint32Array): Generator<readonly NodeListEntry[]> {
  for (let at = 0; at < page.length; at += CHUNK) yield entries(data, page.subarray(at, at + CHUNK));
}

function entries(data: QueryData, nodes: Uint32Array): NodeListEntry[] {
  return Array.from(nodes, (node) => ({
    objectID: objectIdOf(data.graph, node),
    name: nameOf(data.graph, node),
    label: labelOf(data, node),
    kinds: [...shownKindsOf(data, node)],
  }));
}
