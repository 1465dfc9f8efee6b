/**
 * Interprets the result of a check query: the first column contains the found objects, the other columns are evidence.
 *
 * Rule: `docs/checks.md#the-query`.
 */
import { CypherError } from '@clew/cypher';
import { type CypherAnswer, eachRow, entriesOf, partOf } from '@clew/explore';

/** A larger result means that the query is too broad: no one repairs more objects one by one. */
export const MAX_OFFENDERS = 100_000;
const MAX_COLUMNS = 20;
/** Maximum number of rows per object whose evidence is kept. */
const MAX_ROWS_OF_ONE = 20;
/** Maximum length of a value. */
const MAX_VALUE = 2000;

export interface CheckFound {
  /** Columns with evidence. */
  readonly columns: readonly string[];
  /** The values of each row of a node, keyed by node. */
  readonly offenders: ReadonlyMap<number, readonly (readonly unknown[])[]>;
  /** Reasons why nothing was found, and omitted evidence. */
  readonly warnings: readonly string[];
}

/** @param nameOf gives the name of a node for evidence @throws CypherError for an unusable result */
export function checkFound(answer: CypherAnswer, nameOf: (node: number) => string): CheckFound {
  const { columns, rows, warnings, isEmpty } = answer;
  const [first, ...evidence] = columns;
  if (evidence.length > MAX_COLUMNS)
    throw new CypherError('value', `it returns more than ${MAX_COLUMNS} columns of evidence`);
  const offenders = new Map<number, (readonly unknown[])[]>();
  const cut = new Set<number>();
  let at = 0;
  for (const [object, ...values] of eachRow(rows)) {
    at++;
    const node = nodeIn(object);
    if (node === undefined)
      throw new CypherError(
        'value',
        `its first column, ${first}, must contain the object; row ${at} contains ${shown(object)}`,
      );
    const known = offenders.get(node) ?? [];
    if (known.length < MAX_ROWS_OF_ONE) known.push(values.map((value) => plain(value, nameOf)));
    else cut.add(node);
    offenders.set(node, known);
    if (offenders.size > MAX_OFFENDERS)
      throw new CypherError('limit', `it finds more than ${MAX_OFFENDERS} objects: narrow it`);
  }
  const left =
    cut.size === 0 || evidence.length === 0
      ? []
      : [`the evidence contains the first ${MAX_ROWS_OF_ONE} rows of each object: ${cut.size} have more`];
  return { columns: evidence, offenders, warnings: [...(isEmpty ? warnings : []), ...left] };
}

function nodeIn(value: unknown): number | undefined {
  const part = partOf(value);
  return part?.type === 'node' ? part.node : undefined;
}

function shown(value: unknown): string {
  const part = partOf(value);
  if (part !== undefined) return `a ${part.type}`;
  // The message names only types, because values are only for users who may see their objects.
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'a text' : typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}

/** Replaces graph elements with their names, and truncates long values. */
function plain(value: unknown, nameOf: (node: number) => string): unknown {
  const json = named(value, nameOf);
  const text = JSON.stringify(json) ?? 'null';
  return text.length <= MAX_VALUE ? (json ?? null) : `${text.slice(0, MAX_VALUE).toWellFormed()}…`;
}

function named(value: unknown, nameOf: (node: number) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => named(item, nameOf));
  const part = partOf(value);
  if (part?.type === 'node') return nameOf(part.node);
  if (part?.type === 'path') return part.nodes.map(nameOf);
  if (part?.type === 'relationship') return 'a relationship';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(entriesOf(value).map(([key, inner]) => [key, named(inner, nameOf)]));
}
