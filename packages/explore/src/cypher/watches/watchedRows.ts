/**
 * Rows of a watched query in stored form: cells that can be shown without the graph, and a digest of the values. Rows are equal if their
 * values are: an object is identified by its id, not by its name, and a relationship by its ends and its kind. Rule:
 * `docs/cypher.md#watches`.
 */
import { hash } from 'node:crypto';
import { CypherError } from '@clew/cypher';
import { type AttackGraph, edgeKindOf, endOf, nameOf, objectIdOf, startOf } from '@clew/graph';
import { displayKind, edgeKindById, nodeKindById } from '@clew/model';
import { storableJson, storableText } from '@clew/store';
import { eachRow } from '../answerRows.ts';
import { entriesOf, partOf } from '../cells.ts';
import type { CypherAnswer } from '../cypherMessages.ts';

/** No user reads more; such a query is too wide to be watched. */
export const MAX_WATCHED_ROWS = 10_000;
const MAX_COLUMNS = 20;
/** Maximum characters per value. */
const MAX_VALUE = 2000;
/** Maximum total characters in all rows of a watch. */
const MAX_TEXT = 4_000_000;

export interface KindNames {
  readonly customNodeKinds: ReadonlyMap<number, string>;
  readonly customEdgeKinds: ReadonlyMap<number, string>;
}

export interface WatchFound {
  readonly columns: readonly string[];
  /** JSON of the cells by hexadecimal digest. Equal rows are one. */
  readonly rows: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

/** @throws CypherError if the answer is too large to be watched */
export function watchedRows(graph: AttackGraph, names: KindNames, answer: CypherAnswer): WatchFound {
  const { columns } = answer;
  if (columns.length > MAX_COLUMNS)
    throw new CypherError('limit', `it returns more than ${MAX_COLUMNS} columns: return fewer`);
  const rows = new Map<string, string>();
  let length = 0;
  for (const row of eachRow(answer.rows)) {
    const digest = hash('sha256', JSON.stringify(row.map((value) => meaning(graph, value))));
    if (rows.has(digest)) continue;
    if (rows.size === MAX_WATCHED_ROWS)
      throw new CypherError('limit', `it finds more than ${MAX_WATCHED_ROWS} rows: narrow it`);
    const cells = storableJson(row.map((value) => bounded(shown(graph, names, value)))).json;
    length += cells.length;
    if (length > MAX_TEXT)
      throw new CypherError('limit', `its rows have more than ${MAX_TEXT} characters: return fewer values`);
    rows.set(digest, cells);
  }
  return { columns: columns.map(storableText), rows, warnings: answer.warnings.map(storableText) };
}

/** Reduces a value to its identity. */
function meaning(graph: AttackGraph, value: unknown): unknown {
  const part = partOf(value);
  if (part?.type === 'node') return { $: objectIdOf(graph, part.node) };
  if (part?.type === 'relationship') return { $: edgeMeaning(graph, part.edge) };
  if (part?.type === 'path')
    return {
      $: [
        part.nodes.map((node) => objectIdOf(graph, node)),
        part.edges.map((edge) => edgeMeaning(graph, edge)),
      ],
    };
  if (Array.isArray(value)) return value.map((item) => meaning(graph, item));
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, meaning(graph, inner)]);
}

const edgeMeaning = (graph: AttackGraph, edge: number): readonly unknown[] => [
  objectIdOf(graph, startOf(graph, edge)),
  edgeKindOf(graph, edge),
  objectIdOf(graph, endOf(graph, edge)),
];

function shown(graph: AttackGraph, names: KindNames, value: unknown): unknown {
  const node = (number: number) => ({
    type: 'node',
    kind: displayKind(
      graph.kindSets[graph.kindSetOf[number]].map(
        (kind) => nodeKindById(kind)?.name ?? names.customNodeKinds.get(kind) ?? 'Unknown',
      ),
    ),
    name: nameOf(graph, number) || objectIdOf(graph, number),
    objectid: objectIdOf(graph, number),
  });
  const edge = (number: number) => {
    const kind = edgeKindOf(graph, number);
    return {
      type: 'relationship',
      kind: edgeKindById(kind)?.name ?? names.customEdgeKinds.get(kind) ?? 'Unknown',
      source: objectIdOf(graph, startOf(graph, number)),
      target: objectIdOf(graph, endOf(graph, number)),
    };
  };
  const part = partOf(value);
  if (part?.type === 'node') return node(part.node);
  if (part?.type === 'relationship') return edge(part.edge);
  if (part?.type === 'path')
    return { type: 'path', nodes: part.nodes.map(node), relationships: part.edges.map(edge) };
  if (Array.isArray(value)) return value.map((item) => shown(graph, names, item));
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(entriesOf(value).map(([key, inner]) => [key, shown(graph, names, inner)]));
}

/** Long values are cut, with an ellipsis. */
function bounded(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE ? value : `${text.slice(0, MAX_VALUE).toWellFormed()}…`;
}
