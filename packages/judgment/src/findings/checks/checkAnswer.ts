/**
 * Interprets the answer to the query of a check: the first column names the objects that are found, the others are evidence.
 *
 * Rule: `docs/checks.md#the-query`.
 */
import { CypherError } from '@clew/cypher';
import { type CypherAnswer, eachRow, entriesOf, partOf } from '@clew/explore';

/** More than that no one repairs one by one: the query is too wide. */
export const MAX_OFFENDERS = 100_000;
const MAX_COLUMNS = 20;
/** Rows that name the same object, of which the evidence is kept. */
const MAX_ROWS_OF_ONE = 20;
/** Characters of one value. */
const MAX_VALUE = 2000;

export interface CheckFound {
  /** Columns of the evidence. */
  readonly columns: readonly string[];
  /** The values of each row that names a node, by node. */
  readonly offenders: ReadonlyMap<number, readonly (readonly unknown[])[]>;
  /** Why nothing was found, and which evidence is omitted. */
  readonly warnings: readonly string[];
}

/** @param nameOf gives the name of a node, as evidence shows it @throws CypherError for an answer that cannot be used */
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
        `its first column, ${first}, has to name the object that is found; row ${at} has ${shown(object)}`,
      );
    const known = offenders.get(node) ?? [];
    if (known.length < MAX_ROWS_OF_ONE) known.push(values.map((value) => plain(value, nameOf)));
    else cut.add(node);
    offenders.set(node, known);
    if (offenders.size > MAX_OFFENDERS)
      throw new CypherError('limit', `it finds more than ${MAX_OFFENDERS} objects: make it narrower`);
  }
  const left =
    cut.size === 0 || evidence.length === 0
      ? []
      : [`the evidence has the first ${MAX_ROWS_OF_ONE} rows of each object: ${cut.size} have more`];
  return { columns: evidence, offenders, warnings: [...(isEmpty ? warnings : []), ...left] };
}

function nodeIn(value: unknown): number | undefined {
  const part = partOf(value);
  return part?.type === 'node' ? part.node : undefined;
}

function shown(value: unknown): string {
  const part = partOf(value);
  if (part !== undefined) return `a ${part.type}`;
  // Values themselves are for those who may see their objects.
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'a text' : typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}

/** Parts of the graph by the names of their objects; long values are cut. */
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
