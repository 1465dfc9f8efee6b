/**
 * Analyzes a query without a graph: whether it is valid, the types of its columns, and the labels, types and
 * properties that it uses. Definitions are checked this way before they are installed.
 */
import { compileQuery } from '../compile/queryCompiler.ts';
import { Budget, DEFAULT_LIMITS } from '../run/budget.ts';
import { shallow } from '../run/shallow.ts';
import type { Query } from '../syntax/ast.ts';
import { forEachPart, type Part } from '../syntax/forEachPart.ts';
import { parse } from '../syntax/parser.ts';
import { type PartKind, variableKinds } from '../syntax/variableKinds.ts';
import { TemporalInstant } from '../values/temporal/instant.ts';
import type { Value } from '../values/values.ts';
import { type Column, columnsOf } from './columns.ts';
import { EMPTY_GRAPH } from './emptyGraph.ts';

export interface NamedAt {
  readonly name: string;
  /** Offset in the text of the part that contains the name. */
  readonly at: number;
}

export interface QueryOutline {
  readonly columns: readonly Column[];
  readonly labels: readonly NamedAt[];
  /** Relationship types, including `X_ATTACK_PATHS`. */
  readonly types: readonly NamedAt[];
  /** Names after a colon on a variable that may be a node or a relationship. */
  readonly labelsOrTypes: readonly NamedAt[];
  /** Properties of variables that can only be nodes. */
  readonly properties: readonly NamedProperty[];
}

export interface NamedProperty extends NamedAt {
  /** Labels that patterns and conditions require for the node; may be empty. */
  readonly labels: readonly string[];
}

/** Long queries repeat the same names, so the number of distinct ones is limited. */
const MAX_NAMES = 1000;

/**
 * @param takesParameters whether the query may contain parameters, whose values are provided later
 * @throws CypherError for a query that is not valid on any graph
 */
export function outlineOf(text: string, takesParameters: boolean): QueryOutline {
  const query = parse(text);
  const parameters = takesParameters ? parametersIn(query) : {};
  shallow(() =>
    compileQuery(query, {
      ...{ graph: EMPTY_GRAPH, parameters, budget: new Budget(DEFAULT_LIMITS, () => {}) },
      ...{ now: TemporalInstant.ofEpochMillis(0), warn: () => {} },
    }),
  );
  return { columns: columnsOf(query), ...namesOf(query) };
}

/** Placeholder values for parameters that are read at compile time. */
function parametersIn(query: Query): Readonly<Record<string, Value>> {
  const values: Record<string, Value> = {};
  forEachPart(query, ({ type, name, skip, limit }) => {
    if (type === 'parameter') values[name as string] ??= null;
    for (const bound of [skip, limit]) {
      const given = bound as Part | undefined;
      if (given?.type === 'parameter') values[given.name as string] = 1;
    }
  });
  return values;
}

function namesOf(query: Query): Omit<QueryOutline, 'columns'> {
  const kinds = variableKinds(query);
  const labelsOf = labelsByVariable(query);
  const found = { labels: names(), types: names(), labelsOrTypes: names() };
  const properties = new Map<string, NamedProperty>();
  const addProperty = (name: string, at: number, ofNode: readonly string[]): void => {
    const key = JSON.stringify([name, ofNode]);
    if (!properties.has(key) && properties.size < MAX_NAMES)
      properties.set(key, { name, at, labels: ofNode });
  };
  const byKind = { node: found.labels, relationship: found.types, any: found.labelsOrTypes };
  forEachPart(query, (part) => {
    const at = part.at as number;
    if ('direction' in part) for (const name of part.types as readonly string[]) found.types.add(name, at);
    const { type, labels, of, key, properties } = part;
    if (Array.isArray(labels)) for (const name of labels.flat()) found.labels.add(name, at);
    if (type === 'labels')
      for (const name of part.names as readonly string[]) byKind[kindOf(of, kinds)].add(name, at);
    if (type === 'property' && kindOf(of, kinds) === 'node')
      addProperty(key as string, at, labelsOf.get((of as Part).name as string) ?? []);
    const inline = properties as
      | { type?: string; entries?: readonly (readonly [string, Part])[] }
      | undefined;
    if (inline?.type === 'map' && Array.isArray(labels)) {
      const ofNode = labelsOf.get(part.variable as string) ?? labels.flat();
      for (const [name, value] of inline.entries ?? []) addProperty(name, value.at as number, ofNode);
    }
    for (const [call, name] of comparedNames(part))
      (call === 'type' ? found.types : found.labels).add(name, at);
  });
  return {
    ...{ labels: found.labels.list, types: found.types.list },
    ...{ labelsOrTypes: found.labelsOrTypes.list, properties: [...properties.values()] },
  };
}

/** Labels that patterns and label conditions require for each variable. */
function labelsByVariable(query: Query): ReadonlyMap<string, readonly string[]> {
  const labelsOf = new Map<string, string[]>();
  forEachPart(query, ({ type, labels, variable, of, names: named }) => {
    const own = Array.isArray(labels) ? variable : type === 'labels' ? (of as Part).name : undefined;
    if (typeof own !== 'string') return;
    const added = type === 'labels' ? (named as readonly string[]) : (labels as readonly string[][]).flat();
    labelsOf.set(own, [...(labelsOf.get(own) ?? []), ...added]);
  });
  return labelsOf;
}

/** Collects each name once, at its first position. */
function names() {
  const first = new Map<string, number>();
  return {
    add(name: string, at: number): void {
      if (!first.has(name) && first.size < MAX_NAMES) first.set(name, at);
    },
    get list(): readonly NamedAt[] {
      return [...first].map(([name, at]) => ({ name, at }));
    },
  };
}

/** Handles `type(r) = 'X'`, `type(r) IN ['X', 'Y']` and `'X' IN labels(n)`. */
function comparedNames({ type, operator, left, right }: Part): (readonly ['type' | 'labels', string])[] {
  if (type !== 'binary' || (operator !== '=' && operator !== 'IN')) return [];
  const [a, b] = [left as Part, right as Part];
  const textsIn = (part: Part): string[] =>
    part.type === 'list'
      ? (part.items as readonly Part[]).flatMap(textsIn)
      : part.type === 'literal' && typeof part.value === 'string'
        ? [part.value]
        : [];
  const isCall = (part: Part, name: string): boolean => part.type === 'call' && part.name === name;
  if (isCall(a, 'type')) return textsIn(b).map((name) => ['type', name] as const);
  if (operator === '=' && isCall(b, 'type')) return textsIn(a).map((name) => ['type', name] as const);
  if (operator === 'IN' && isCall(b, 'labels')) return textsIn(a).map((name) => ['labels', name] as const);
  return [];
}

const kindOf = (of: unknown, kinds: ReadonlyMap<string, PartKind>): PartKind => {
  const { type, name } = of as Part;
  return type === 'variable' ? (kinds.get(name as string) ?? 'any') : 'any';
};
