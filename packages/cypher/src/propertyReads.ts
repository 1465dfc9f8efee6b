/** Determines which properties a query reads, so they can be loaded before it runs. */
import type { Easiest, Expression, Query } from './syntax/ast.ts';
import { forEachPart } from './syntax/forEachPart.ts';
import { parse } from './syntax/parser.ts';
import type { UpdatingQuery } from './syntax/updates.ts';
import { kindOfPattern, type PartKind, variableKinds } from './syntax/variableKinds.ts';

export interface PropertyReads {
  readonly nodes: ReadonlySet<string>;
  readonly relationships: ReadonlySet<string>;
  /** Properties that are read from values that can only be nodes. */
  readonly nodesForCertain: ReadonlySet<string>;
  /** Whether it may read any property: `properties(n)`, `keys(n)`, `n[...]`, or a property of a parameter. */
  readonly all: boolean;
}

const READS_ALL = new Set(['properties', 'keys']);

/** Whether an item of SET or REMOVE may remove its property. @param value absent in REMOVE */
const isRemoval = (value: Expression | undefined): boolean =>
  value === undefined || value.type !== 'literal' || value.value === null;

/** @throws CypherError for an invalid query */
export const propertyReads = (query: string): PropertyReads => propertyReadsOf(parse(query));

/** @param parsed a query, or the clauses of one that changes a layer */
export function propertyReadsOf(parsed: Query | UpdatingQuery): PropertyReads {
  const kinds = variableKinds(parsed);
  const nodes = new Set<string>();
  const relationships = new Set<string>();
  const nodesForCertain = new Set<string>();
  let all = false;
  const read = (key: string, kind: PartKind | undefined): void => {
    // A value of uncertain kind may be either.
    if (kind !== 'relationship') nodes.add(key);
    if (kind !== 'node') relationships.add(key);
    if (kind === 'node') nodesForCertain.add(key);
  };
  forEachPart(parsed, (part) => {
    const { type, key, of, name, index, properties } = part;
    if (type === 'property') {
      const { type: inner, name: variable } = of as { type: string; name: string };
      read(key as string, inner === 'variable' ? kinds.get(variable) : undefined);
    }
    if (typeof part.shortest === 'object') relationships.add((part.shortest as Easiest).by);
    if (type === 'call' && READS_ALL.has(name as string)) all = true;
    if (type === 'mapProjection' && part.all === true) all = true;
    // Removed properties are counted only if the object had them.
    if (type === 'key' && isRemoval(part.value as Expression | undefined))
      read(key as string, kinds.get(part.variable as string));
    // `SET n = m` copies all properties.
    if (type === 'keys') all = true;
    if (type === 'index') {
      const { type: at, value } = index as { type: string; value: unknown };
      if (at !== 'literal') all = true;
      else if (typeof value === 'string') read(value, undefined);
    }
    const inline = properties as
      | { type?: string; entries?: readonly (readonly [string, unknown])[] }
      | undefined;
    if (inline?.type === 'map') for (const [entry] of inline.entries ?? []) read(entry, kindOfPattern(part));
    else if (inline?.type === 'parameter') all = true;
  });
  return { nodes, relationships, nodesForCertain, all };
}
