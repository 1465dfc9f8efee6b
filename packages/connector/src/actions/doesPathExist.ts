/**
 * Does Path Exist: checks for each pair whether one object can take control of the other. Paths use only edges that
 * give control. Questions that the service could not answer are undecided, never "no", because playbooks close cases
 * on "no".
 */
import type { UnifiedGraph } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { isFatal, isUnknownObject, messageOf } from './faults.ts';
import { InputError, type NodePair, pairKey, parsePairs } from './inputs.ts';
import type { ActionResult, ItemResult, ItemResults } from './results.ts';
import { failure, inOrder, joinMessages, refused } from './results.ts';

export interface PathItem extends ItemResult<boolean> {
  /** Length of a shortest path. */
  readonly hops?: number;
  readonly nodes?: readonly string[];
  readonly edges?: readonly string[];
}

export interface PathInfo {
  readonly path_info: Readonly<Record<string, PathItem>>;
  readonly all_exist: boolean;
  readonly any_exist: boolean;
  /** Some pairs could not be answered. */
  readonly undecided: boolean;
  /** Events without a pair: list findings have no start. */
  readonly skipped: number;
}

const NOTHING: PathInfo = { path_info: {}, all_exist: false, any_exist: false, undecided: true, skipped: 0 };

/**
 * The value is `true` if all pairs have a path, and `false` if all were answered and at least one has none. The action fails if
 * any pair is undecided.
 */
export async function doesPathExist(
  client: ClewClient,
  eventDetails: string | undefined,
  signal?: AbortSignal,
): Promise<ActionResult<PathInfo>> {
  let asked: ReturnType<typeof parsePairs>;
  try {
    asked = parsePairs(eventDetails, 'Event Details');
  } catch (error) {
    if (error instanceof InputError) return refused(error.message, NOTHING);
    throw error;
  }
  let fatal: ItemResult<never> | undefined;
  const answers = await inOrder(asked.pairs, async (pair) => {
    if (fatal !== undefined) return fatal;
    try {
      return await answer(client, pair, signal);
    } catch (error) {
      const fault = failure(`Error checking path existence: ${messageOf(error)}`);
      if (isFatal(error)) fatal = fault;
      return fault;
    }
  });
  const path_info = Object.fromEntries(
    asked.pairs.map((pair, at) => [pairKey(pair), answers[at] as PathItem]),
  );
  const all_exist = answers.every(({ data }) => data === true);
  const undecided = answers.some(({ data }) => data === null);
  return {
    status: undecided ? 'failed' : 'completed',
    resultValue: String(all_exist),
    message: joinMessages(path_info as ItemResults<boolean>),
    json: {
      path_info,
      all_exist,
      any_exist: answers.some(({ data }) => data === true),
      undecided,
      skipped: asked.skipped,
    },
  };
}

async function answer(
  client: ClewClient,
  { from, to }: NodePair,
  signal: AbortSignal | undefined,
): Promise<PathItem> {
  try {
    const graph = await client.shortestPath(from, to, { signal });
    if (graph === undefined)
      return { status: 'success', message: 'No path exists between the nodes.', data: false };
    const path = shortest(graph, from, to);
    // An answer without edges proves nothing.
    if (path === undefined) return failure('the service answered without a path');
    return { status: 'success', message: 'Path exists between the nodes.', data: true, ...path };
  } catch (error) {
    if (isUnknownObject(error)) return failure(`object not found (${messageOf(error)})`);
    throw error;
  }
}

/** Returns one of the shortest paths of a graph that contains all of them. */
function shortest(
  { nodes, edges }: UnifiedGraph,
  from: string,
  to: string,
): Required<Pick<PathItem, 'hops' | 'nodes' | 'edges'>> | undefined {
  const keyOf = (id: string): string | undefined =>
    Object.keys(nodes).find((key) => nodes[key]?.objectId.toUpperCase() === id.toUpperCase());
  const [start, end] = [keyOf(from), keyOf(to)];
  if (start === undefined || end === undefined || start === end) return undefined;
  const came = new Map<string, UnifiedGraph['edges'][number] | undefined>([[start, undefined]]);
  // The loop appends to this list.
  const open = [start];
  for (const node of open) {
    for (const edge of edges) {
      if (edge.source !== node || came.has(edge.target)) continue;
      came.set(edge.target, edge);
      open.push(edge.target);
    }
  }
  const steps: UnifiedGraph['edges'][number][] = [];
  for (let edge = came.get(end); edge !== undefined; edge = came.get(edge.source)) steps.unshift(edge);
  if (steps.length === 0) return undefined;
  const labels = [start, ...steps.map(({ target }) => target)].map((key) => nodes[key]?.label ?? key);
  return { hops: steps.length, nodes: labels, edges: steps.map(({ kind }) => kind) };
}
