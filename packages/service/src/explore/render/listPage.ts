/** Pages of related lists: `{count, limit, skip, data}` of node list entries. */
import type { NodeListEntry } from '@clew/api';
import { nameOf, objectIdOf } from '@clew/graph';
import { labelOf, type QueryData, shownKindsOf } from '@clew/queries';
import type { Answer } from '../../operation/handler.ts';
import { jsonStream } from '../../operation/jsonStream.ts';

export interface PageRequest {
  readonly skip: number;
  readonly limit: number;
}

/** Entries written at once: about 1 ms of work. */
const CHUNK = 1_000;

/** A large page is written in pieces, so that it neither fills memory nor holds up other requests. */
export function listPage(data: QueryData, nodes: Uint32Array, { skip, limit }: PageRequest): Answer {
  const page = nodes.subarray(Math.min(skip, nodes.length), Math.min(skip + limit, nodes.length));
  const head = { count: nodes.length, limit, skip };
  if (page.length <= CHUNK) return { status: 200, json: { ...head, data: entries(data, page) } };
  return {
    status: 200,
    mediaType: 'application/json',
    stream: jsonStream(pieces(data, page, `${JSON.stringify(head).slice(0, -1)},"data":[`)),
  };
}

function* pieces(data: QueryData, page: Uint32Array, head: string): Generator<string> {
  yield head;
  for (let at = 0; at < page.length; at += CHUNK) {
    const chunk = JSON.stringify(entries(data, page.subarray(at, at + CHUNK))).slice(1, -1);
    yield at === 0 ? chunk : `,${chunk}`;
  }
  yield ']}';
}

function entries(data: QueryData, nodes: Uint32Array): NodeListEntry[] {
  return Array.from(nodes, (node) => ({
    objectID: objectIdOf(data.graph, node),
    name: nameOf(data.graph, node),
    label: labelOf(data, node),
    kinds: [...shownKindsOf(data, node)],
  }));
}
