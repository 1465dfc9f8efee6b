/**
 * `POST /graphs/cypher`. The answer is a graph of all that the rows name, and their other values as a list; a client that
 * asks for rows gets them, too. Rule: `docs/cypher.md`.
 */
import type { CypherQuery, CypherResult, UnifiedGraph } from '@clew/api';
import { CypherError, type QueryLimits, type ValueMap } from '@clew/cypher';
import type { Generation, GenerationSource } from '@clew/generation';
import { edgeKindOf, endOf, nameOf, objectIdOf, startOf } from '@clew/graph';
import { edgeKindName, labelOf, type QueryData, queryDataOf } from '@clew/queries';
import type { Db, NodePropertySource } from '@clew/store';
import { unifiedGraph } from '../explore/render/unifiedGraph.ts';
import { visibilityOf } from '../explore/visibility.ts';
import { apiError } from '../operation/apiError.ts';
import { recordAudit } from '../operation/auditLog.ts';
import type { Handlers, RequestContext } from '../operation/handler.ts';
import type { CypherAnswer, GraphCell } from './cypherMessages.ts';
import type { CypherRunner } from './cypherRunner.ts';

export interface CypherParts {
  readonly db: Db;
  readonly generations: GenerationSource;
  readonly properties: NodePropertySource;
  readonly runner: CypherRunner;
  readonly limits: Partial<QueryLimits>;
}

export function cypherHandlers(parts: CypherParts): Handlers<'RunCypherQuery'> {
  const { db, generations, properties } = parts;
  return {
    async RunCypherQuery({ body }, context) {
      if (body.query.trim() === '') throw apiError('emptyCypherQuery');
      const generation = generations.current();
      const data = queryDataOf(generation);
      const answer = await run(parts, generation, body, context);
      await recordAudit(db, context, {
        action: 'RunCypherQuery',
        status: 'success',
        fields: { query: withoutLiterals(body.query), milliseconds: Math.round(answer.milliseconds) },
      });
      const wantsTable = body.rows === true || body.explain === true || body.profile === true;
      const literals = literalsOf(answer, data, generation);
      // What a query that finds nothing answers in this API.
      if (!wantsTable && answer.nodes.length === 0 && literals.length === 0)
        throw apiError('resourceNotFound');
      const details = await properties.read(answer.nodes.map((node) => data.graph.storeIds[node]));
      const withProperties = body.include_properties ?? false;
      const visibility = visibilityOf(data, context.principal);
      const graph = unifiedGraph(data, generation, visibility, answer.nodes, answer.edges, details, {
        withProperties,
      });
      const json: CypherResult = {
        ...graph,
        literals,
        ...(withProperties && propertyKeys(graph)),
        ...(answer.warnings.length > 0 && { warnings: [...answer.warnings] }),
        ...(wantsTable && tableOf(answer, data, generation)),
      };
      return { status: 200, json: { data: json } };
    },
  };
}

async function run(
  { db, runner, limits }: CypherParts,
  generation: Generation,
  body: CypherQuery,
  context: RequestContext,
): Promise<CypherAnswer> {
  const { environments } = visibilityOf(queryDataOf(generation), context.principal);
  try {
    return await runner.run(
      generation,
      {
        query: body.query,
        parameters: (body.parameters ?? {}) as ValueMap,
        limits,
        explain: body.explain === true,
        profile: body.profile === true,
        ...(environments && { environments: [...environments] }),
      },
      context.signal,
    );
  } catch (error) {
    const reason = error instanceof CypherError ? error.kind : 'ended';
    await recordAudit(db, context, {
      action: 'RunCypherQuery',
      status: 'failure',
      fields: { query: withoutLiterals(body.query), reason },
    }).catch(() => {});
    if (error instanceof CypherError)
      throw apiError(error.kind === 'limit' ? 'cypherTooCostly' : 'invalidCypherQuery', {
        reason: error.message,
      });
    if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY') throw apiError('memoryExceeded');
    throw error;
  }
}

/** What people look for is no business of the log: names and numbers are left out. */
function withoutLiterals(query: string): string {
  const text = query
    .replaceAll(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, "'…'")
    .replaceAll(/\b\d+(?:\.\d+)?\b/g, '…');
  return text.slice(0, 2000);
}

/** Values that are no part of the graph, row by row. */
function literalsOf(answer: CypherAnswer, data: QueryData, generation: Generation): CypherResult['literals'] {
  return answer.rows.flatMap((row) =>
    row.flatMap((value, at) =>
      cellOf(value) === undefined
        ? [{ key: answer.columns[at], value: shownCell(value, data, generation) }]
        : [],
    ),
  );
}

function tableOf(answer: CypherAnswer, data: QueryData, generation: Generation) {
  return {
    columns: [...answer.columns],
    rows: answer.rows.map((row) => row.map((value) => shownCell(value, data, generation))),
    plan: answer.plan.map((line) => ({ ...line })),
    milliseconds: Math.round(answer.milliseconds * 10) / 10,
    generation: data.generation,
  };
}

function cellOf(value: unknown): GraphCell | undefined {
  const isCell = typeof value === 'object' && value !== null && '$' in value;
  return isCell ? (value as { readonly $: GraphCell }).$ : undefined;
}

function shownCell(value: unknown, data: QueryData, generation: Generation): unknown {
  const shown = (inner: unknown): unknown => shownCell(inner, data, generation);
  const cell = cellOf(value);
  if (cell !== undefined) return shownPart(cell, data, generation);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(inner)]));
}

function shownPart(cell: GraphCell, data: QueryData, generation: Generation): object {
  const { graph } = data;
  const node = (number: number) => ({
    type: 'node',
    id: graph.storeIds[number],
    kind: labelOf(data, number),
    name: nameOf(graph, number) || objectIdOf(graph, number),
    objectid: objectIdOf(graph, number),
  });
  const edge = (number: number) => ({
    type: 'relationship',
    kind: edgeKindName(generation, edgeKindOf(graph, number)),
    source: graph.storeIds[startOf(graph, number)],
    target: graph.storeIds[endOf(graph, number)],
  });
  if (cell.type === 'node') return node(cell.node);
  if (cell.type === 'relationship') return edge(cell.edge);
  return { type: 'path', nodes: cell.nodes.map(node), relationships: cell.edges.map(edge) };
}

function propertyKeys({ nodes, edges }: UnifiedGraph): { node_keys?: string[]; edge_keys?: string[] } {
  const keys = (all: readonly ({ readonly [key: string]: unknown } | undefined)[]): string[] =>
    [...new Set(all.flatMap((properties) => Object.keys(properties ?? {})))].sort();
  const node_keys = keys(Object.values(nodes).map(({ properties }) => properties));
  const edge_keys = keys(edges.map(({ properties }) => properties));
  return { ...(node_keys.length > 0 && { node_keys }), ...(edge_keys.length > 0 && { edge_keys }) };
}
