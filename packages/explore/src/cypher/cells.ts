/**
 * Values of an answer as plain data. A graph part is `{ $: GraphCell }`. Because a map in a query may also have such a key, `$` is added to
 * keys that consist of dollar signs, so that no query can present a map as a graph part.
 */
import type { TypedLiteral } from '@clew/common';
import type { GraphCell } from './cypherMessages.ts';

export const cell = (part: GraphCell): { readonly $: GraphCell } => ({ $: part });

/** @returns the graph part that a value represents */
export const partOf = (value: unknown): GraphCell | undefined => typedPartOf(value) as GraphCell | undefined;

/** @returns the graph part, or the value with its type, that a value of a typed answer represents */
export const typedPartOf = (value: unknown): GraphCell | TypedLiteral | undefined =>
  typeof value === 'object' && value !== null && '$' in value
    ? (value.$ as GraphCell | TypedLiteral)
    : undefined;

/** @returns a query map as plain data @param plain converts its values */
export const mapCell = <Value>(
  map: Readonly<Record<string, Value>>,
  plain: (value: Value) => unknown,
): object =>
  Object.fromEntries(
    Object.entries(map).map(([key, value]) => [/^\$+$/.test(key) ? `$${key}` : key, plain(value)]),
  );

/** @returns names and values of a query map, from the result of `mapCell` */
export const entriesOf = (map: object): [string, unknown][] =>
  Object.entries(map).map(([key, value]) => [/^\$\$+$/.test(key) ? key.slice(1) : key, value]);
