/** The graph of the address: the results and added objects, without hidden ones. */
import type { CypherResult, OpenedDrawing, ReachRecord } from '@clew/api';
import { othersReachText } from '@clew/model';
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { fold } from '../../graph/fold.ts';
import {
  EMPTY_GRAPH,
  edgeKey,
  fromPaths,
  fromUnified,
  type Graph,
  unite,
  without,
} from '../../graph/model.ts';
import { withMarks } from '../../parts/graphMarks.ts';
import { call, withClient } from '../../service/client.ts';
import { realText } from '../../text/addressKeys.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatCount } from '../../text/formats.ts';
import { idsOf, isSet, MAX_PATHS, OUTSIDE_SET, queryOf, setQuery, zoneLabel } from './endSets.ts';
import { type ExploreState, isLeftOut, kindsWithout } from './exploreState.ts';
import { readNear, sectionsOf } from './objectData.ts';
import { hasAllValues, parameterValues } from './queryText.ts';
import { openedGraph } from './savedDrawing.ts';

export interface Found {
  readonly graph: Graph;
  /** Objects in the first layer. */
  readonly starts: readonly string[];
  /** Number of relationships that the service omitted. */
  readonly omitted: number;
  readonly result?: CypherResult;
  /** Duration of the query in the service. */
  readonly seconds?: number;
  /** Present if the service returned individual paths. */
  readonly paths?: readonly { readonly nodes: readonly string[]; readonly efforts: readonly number[] }[];
  /** Reason why the answer may be incomplete. */
  readonly note?: string;
  readonly noPath?: NoPath;
  /** The saved drawing that is shown. */
  readonly opened?: OpenedDrawing;
}

interface NoPath {
  readonly reached: number;
  readonly reaching: number;
  readonly nearest: readonly { readonly object_id: string; readonly name: string; readonly kind: string }[];
}

interface ExploreGraph {
  readonly query: UseQueryResult<Found>;
  readonly additions: readonly UseQueryResult<Graph>[];
  readonly graph: Graph;
  /** The graph without folding: for tables and exports. */
  readonly whole: Graph;
}

export function useExploreGraph(state: ExploreState): ExploreGraph {
  const asked = questionOf(state);
  const query = useQuery({
    queryKey: ['explore', asked],
    enabled: asked !== undefined,
    queryFn: ({ signal }) => answerTo(asked!, signal),
  });
  const additions = useQueries({
    queries: state.expansions.map(({ objectId, section, kind }) => ({
      queryKey: ['expansion', kind, section, objectId],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        section === 'near'
          ? readNear(objectId, signal).then(({ graph }) => graph)
          : sectionGraph(kind, section, objectId, signal),
    })),
  }) as UseQueryResult<Graph>[];
  const parts = [query.data?.graph ?? EMPTY_GRAPH, ...additions.map(({ data }) => data ?? EMPTY_GRAPH)];
  const hidden = [...state.hidden].sort().join(' ');
  const leftOut = [...state.without].sort().join(' ');
  const unfolded = [...state.unfolded].sort().join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: it depends only on the parts, which keep their identity
  const whole = useMemo(() => {
    const shown = without(withAdded(unite(parts), parts[0]), state.hidden);
    if (state.mode !== 'object' || state.without.size === 0) return shown;
    return { ...shown, edges: shown.edges.filter(({ kind }) => !isLeftOut(kind, state.without)) };
  }, [...parts, parts.length, hidden, state.mode, leftOut]);
  const ends = [state.object, state.from, state.to].filter((id) => id !== undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: texts represent the sets
  const graph = useMemo(() => fold(whole, new Set(ends), state.unfolded), [whole, ends.join(' '), unfolded]);
  return { query, additions, graph, whole };
}

/** @returns the graph, with relationships that are not in the answer marked as added */
function withAdded(graph: Graph, answer: Graph): Graph {
  if (answer.edges.length === graph.edges.length) return graph;
  const known = new Set(answer.edges.map(edgeKey));
  return {
    ...graph,
    edges: graph.edges.map((edge) => (known.has(edgeKey(edge)) ? edge : { ...edge, isAdded: true })),
  };
}

function sectionGraph(kind: string, section: string, objectId: string, signal: AbortSignal): Promise<Graph> {
  const sections = sectionsOf(kind);
  if (sections === undefined) throw new Error(`objects of kind ${kind} have no lists`);
  return sections.graph(objectId, section, signal);
}

type Question =
  | { readonly drawing: number }
  | { readonly object: string; readonly only: boolean }
  | { readonly cypher: string; readonly parameters: Readonly<Record<string, unknown>> }
  | {
      readonly from: string;
      readonly to: string;
      readonly ways: ExploreState['ways'];
      readonly kinds: readonly string[] | undefined;
      readonly excluded: readonly string[];
      readonly environment: string | undefined;
    };

function questionOf(state: ExploreState): Question | undefined {
  const { mode, object, from, to, ways, query, excluded } = state;
  if (state.drawing !== undefined) return { drawing: state.drawing };
  if (mode === 'query')
    return query === undefined || !hasAllValues(query, state.parameters)
      ? undefined
      : { cypher: query, parameters: parameterValues(query, state.parameters) };
  if (mode === 'path')
    return from === undefined || to === undefined
      ? undefined
      : { from, to, ways, kinds: kindsWithout(state.without), excluded, environment: limitOf(state) };
  return object === undefined ? undefined : { object, only: state.only };
}

/** The environment limits only sets, so changing it does not affect other questions. */
const limitOf = ({ from, to, environment }: ExploreState): string | undefined =>
  isSet(from) || isSet(to) ? environment : undefined;

async function answerTo(question: Question, signal: AbortSignal): Promise<Found> {
  if ('drawing' in question) {
    const { data } = await call('GetDrawing', { params: { drawing_id: question.drawing } }, { signal });
    return { graph: openedGraph(data), starts: [], omitted: 0, opened: data };
  }
  if ('object' in question) return { ...(await readNear(question.object, signal)), starts: [] };
  if ('cypher' in question) {
    const begun = performance.now();
    const result = await runQuery(question.cypher, question.parameters, signal);
    const seconds = (performance.now() - begun) / 1000;
    return { graph: fromUnified(result), starts: [], omitted: 0, result, seconds };
  }
  const { from, to } = question;
  if (from === OUTSIDE_SET && question.ways === 'easiest' && !isSet(to) && question.excluded.length === 0)
    return easiestInto(question, signal);
  if (isSet(from) || isSet(to) || question.excluded.length > 0) return setPaths(question, signal);
  if (question.ways === 'all') {
    const graph = await withClient((client) =>
      client.shortestPath(from, to, { kinds: question.kinds && { in: question.kinds }, signal }),
    );
    if (graph !== undefined)
      return {
        graph: fromUnified(graph),
        starts: [from],
        omitted: 'omitted_edges' in graph ? Number(graph.omitted_edges ?? 0) : 0,
      };
  }
  const weight = question.ways === 'easiest' ? ('effort' as const) : ('length' as const);
  const query = { start_node: from, end_node: to, limit: 5, disjoint: question.ways === 'disjoint', weight };
  const { data } = await call('GetAlternativePaths', { query }, { signal });
  if (question.ways !== 'all' && data.paths.length > 0)
    return {
      graph: await withMarks(fromPaths(data.paths), signal),
      starts: [from],
      omitted: 0,
      paths: data.paths.map(({ nodes, efforts }) => ({
        nodes: nodes.map(({ object_id }) => object_id),
        efforts,
      })),
    };
  const { no_path: none } = data;
  return {
    graph: EMPTY_GRAPH,
    starts: [],
    omitted: 0,
    noPath: {
      reached: none?.reached_from_start ?? 0,
      reaching: none?.reaching_end ?? 0,
      nearest: none?.nearest ?? [],
    },
  };
}

/**
 * The easiest path from any user or computer outside the zone of an object; the shortest paths if the service does not show the
 * easiest.
 */
async function easiestInto(
  question: Extract<Question, { from: string }>,
  signal: AbortSignal,
): Promise<Found> {
  const query = { object_id: question.to, include_path: true };
  const { data } = await call('GetReach', { query }, { signal });
  const { easiest_path: path, not_shown: notShown } = data;
  if (notShown !== null) {
    const found = await setPaths(question, signal);
    const note = `These are shortest paths: the easiest path is not known here. ${notShown}.`;
    return { ...found, note: found.note ? `${note} ${found.note}` : note };
  }
  if (path === null)
    return { graph: EMPTY_GRAPH, starts: [], omitted: 0, noPath: { reached: 0, reaching: 0, nearest: [] } };
  const relations = path.steps.map(({ kind }) => kind);
  const nodes = path.nodes.map(({ object_id }) => object_id);
  return {
    graph: await withMarks(fromPaths([{ nodes: path.nodes, relations }]), signal),
    starts: nodes.slice(0, 1),
    omitted: 0,
    paths: [{ nodes, efforts: path.steps.map(({ effort }) => effort) }],
    note: reachNote(data),
  };
}

function reachNote(record: ReachRecord): string {
  const { reaching_count: reaching, principal_count: all, zone } = record;
  if (reaching === null || all === null) return 'This is the easiest path.';
  return `This is the easiest path. ${formatCount(reaching)} of ${formatCount(all)} users and computers outside ${zone?.name ?? 'Tier Zero'} can reach the object. ${othersReachText(record, cleanText)}`;
}

async function setPaths(
  { from, to, kinds, excluded, environment }: Extract<Question, { from: string }>,
  signal: AbortSignal,
): Promise<Found> {
  const isAround = excluded.length > 0;
  const zone = from === OUTSIDE_SET && !isSet(to) ? await zoneLabelOf(to, signal) : undefined;
  const options = { isAround, isInEnvironment: environment !== undefined, zoneLabel: zone };
  const parameters = {
    ...(await endParameter('from', from, signal)),
    ...(await endParameter('to', to, signal)),
    ...(isAround && { around: excluded }),
    ...(environment !== undefined && { env: environment }),
  };
  const result = await runQuery(setQuery(from, to, kinds, options), parameters, signal);
  const graph = fromUnified(result);
  if (graph.nodes.size > 0) {
    const isCut = (result.rows?.length ?? 0) >= MAX_PATHS;
    return {
      graph,
      starts: isSet(from) ? [] : [from],
      omitted: 0,
      ...(isCut && {
        note: `The first ${MAX_PATHS} shortest paths are shown. There are more: choose a single object as an end, or exclude kinds.`,
      }),
    };
  }
  return { graph, starts: [], omitted: 0, noPath: { reached: 0, reaching: 0, nearest: [] } };
}

async function zoneLabelOf(object: string, signal: AbortSignal): Promise<string | undefined> {
  const { data } = await call('GetReach', { query: { object_id: object } }, { signal });
  return data.zone === null ? undefined : zoneLabel(data.zone.name);
}

/** Maximum number of objects of a query as an end; more would make the question too large. */
const MAX_ENDS = 1000;

async function endParameter(
  name: 'from' | 'to',
  text: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  if (!isSet(text)) return { [name]: text };
  const ids = idsOf(text);
  if (ids !== undefined) return { [name]: ids };
  const id = queryOf(text);
  if (id === undefined) return {};
  const { data: saved } = await call('GetSavedQuery', { params: { saved_query_id: id } }, { signal });
  if (!hasAllValues(saved.query, new Map()))
    throw new Error(`The saved query ${saved.name} needs parameter values: run it in Query instead.`);
  const found = [...fromUnified(await runQuery(saved.query, {}, signal)).nodes.keys()];
  if (found.length > MAX_ENDS)
    throw new Error(`The saved query ${saved.name} finds more than ${MAX_ENDS} objects: narrow it first.`);
  return { [name]: found };
}

async function runQuery(
  query: string,
  parameters: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CypherResult> {
  const body = { query: realText(query), parameters, rows: true, include_properties: false };
  return (await call('RunCypherQuery', { body }, { signal, wait: 300 })).data;
}
