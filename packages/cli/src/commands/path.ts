/** `clew path FROM TO`: the shortest paths between two objects, by name or object ID. */
import type { SearchResult, UnifiedGraph } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { phrasesOf } from '@clew/connector';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { WAIT_SECONDS } from '../plan/planPages.ts';
import { drawPath, summarizePaths } from '../terminal/drawPath.ts';
import { pathLine } from '../terminal/pathLine.ts';
import { formatCount, jsonText, printable, shownName } from '../terminal/text.ts';

export interface PathCommandOptions extends ConnectionOptions {
  /** Also follows edges that do not pass on control: any connection instead of an attack path. */
  readonly allKinds?: boolean;
  readonly only?: readonly string[];
  readonly without?: readonly string[];
  readonly alternatives?: number;
  readonly disjoint?: boolean;
  /** Criterion for the best path: length, or attack effort. */
  readonly weight?: 'length' | 'effort';
  readonly json?: boolean;
}

/** Maximum number of candidates named if a name is ambiguous. */
const CANDIDATES = 5;

export async function path(
  context: Context,
  fromText: string,
  toText: string,
  options: PathCommandOptions,
): Promise<number> {
  const client = await connect(context, options);
  const from = await resolveObject(client, fromText, context.signal);
  const to = await resolveObject(client, toText, context.signal);
  if (options.alternatives !== undefined || options.weight === 'effort')
    return alternatives(context, client, from, to, options);
  const kinds = kindFilter(options);
  const graph = await client.shortestPath(from.objectid, to.objectid, {
    signal: context.signal,
    // Named kinds are followed whether or not they pass on control.
    onlyTraversable: options.allKinds ? false : undefined,
    ...(kinds !== undefined && { kinds }),
  });
  if (options.json) context.out.write(jsonText(pathAnswer(from, to, graph)));
  else if (graph === undefined) {
    context.err.write(`There is no path from ${printable(from.name)} to ${printable(to.name)}.\n`);
  } else {
    const names = graph.edges.map(({ kind }) => kind);
    const phraseOf = await phrasesOf(client, names, context.signal);
    const ends = { from: keyOf(graph, from), to: keyOf(graph, to) };
    context.out.write(drawPath(context.out, graph, ends, phraseOf));
  }
  return graph === undefined ? EXIT.failed : 0;
}

/** Shows several paths, or why no path exists. */
async function alternatives(
  { out, err, signal }: Context,
  client: ClewClient,
  from: SearchResult,
  to: SearchResult,
  { alternatives: limit = 1, disjoint = false, weight = 'length', json, ...kinds }: PathCommandOptions,
): Promise<number> {
  if (kinds.allKinds || kinds.only !== undefined || kinds.without !== undefined)
    throw new CommandError(
      '--alternatives and --weight effort follow attack paths: omit the options about kinds',
      EXIT.usage,
    );
  const query = { start_node: from.objectid, end_node: to.objectid, limit, disjoint, weight };
  const { data } = await client.call('GetAlternativePaths', { query }, { signal, wait: WAIT_SECONDS });
  if (json) out.write(jsonText(data));
  else {
    const names = data.paths.flatMap(({ relations }) => relations);
    const phraseOf = await phrasesOf(client, names, signal);
    for (const found of data.paths)
      out.write(
        `${pathLine(out, found, phraseOf, {
          lead:
            weight === 'effort'
              ? `effort ${found.effort} (${found.efforts.join(' + ')})  `
              : `${found.relations.length}  `,
          indent: 4,
        })}\n`,
      );
  }
  if (data.no_path === null) return data.paths.length === 0 ? EXIT.failed : 0;
  const { reached_from_start, reaching_end, nearest } = data.no_path;
  err.write(`There is no path from ${printable(from.name)} to ${printable(to.name)}.\n`);
  err.write(
    `${formatCount(reached_from_start)} objects are reachable from the start, ${formatCount(reaching_end)} can reach the target.\n`,
  );
  if (nearest.length > 0)
    err.write(
      `Nearest, over relationships of any kind: ${nearest.map(({ name }) => shownName(name)).join(' .. ')}\n`,
    );
  return EXIT.failed;
}

function kindFilter({ only, without }: PathCommandOptions) {
  if (only !== undefined && without !== undefined) {
    throw new CommandError('--only and --without cannot be combined', EXIT.usage);
  }
  if (only !== undefined) return { in: only };
  return without === undefined ? undefined : { notIn: without };
}

/** The answer for programs: the ends, the length, and the graph from the service. */
function pathAnswer(from: SearchResult, to: SearchResult, graph: UnifiedGraph | undefined): object {
  const length =
    graph === undefined ? null : summarizePaths(graph, keyOf(graph, from), keyOf(graph, to)).length;
  const { nodes, edges } = graph ?? { nodes: {}, edges: [] };
  return { from: from.objectid, to: to.objectid, length, nodes, edges };
}

export function keyOf(graph: UnifiedGraph, { objectid }: Pick<SearchResult, 'objectid'>): string {
  const entry = Object.entries(graph.nodes).find(([, node]) => node.objectId === objectid);
  if (entry === undefined) throw new CommandError(`the response of the service lacks ${objectid}`);
  return entry[0];
}

/** The object with this id or name. A name may omit the domain if it is unique; similar objects are only suggested. */
export async function resolveObject(
  client: ClewClient,
  text: string,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const wanted = text.trim().toUpperCase();
  if (wanted === '') throw new CommandError('an object needs a name or an id', EXIT.usage);
  const hits = await client.search(wanted, { limit: CANDIDATES + 1, ...(signal && { signal }) });
  const byId = hits.find((hit) => hit.objectid === wanted);
  if (byId !== undefined) return byId;
  const exact = hits.filter((hit) => hit.name === wanted);
  const called = exact.length > 0 ? exact : hits.filter(({ name }) => /^[@.]/.test(restAfter(name, wanted)));
  if (called.length === 1) return called[0] as SearchResult;
  const shown = (found: readonly SearchResult[]): string =>
    found
      .slice(0, CANDIDATES)
      .map((hit) => `${printable(hit.name)} (${printable(hit.type)}, ${printable(hit.objectid)})`)
      .join(', ') + (found.length > CANDIDATES ? ', and more' : '');
  if (called.length > 1) throw new CommandError(`${printable(text)} is ambiguous: ${shown(called)}`);
  if (hits.length === 0) throw new CommandError(`no object is named ${printable(text)}`);
  throw new CommandError(`no object is named ${printable(text)}; similar names: ${shown(hits)}`);
}

/** @returns the name without `beginning`; empty if it does not start with it */
const restAfter = (name: string, beginning: string): string =>
  name.startsWith(beginning) ? name.slice(beginning.length) : '';
