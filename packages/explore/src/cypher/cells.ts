/**
 * Values of an answer as plain data. A part of the graph is `{ $: GraphCell }`. A map of the query may have such a key, too: one of
 * dollar signs alone is longer by one, so that no query passes a map for a part of the graph.
 */
import type { GraphCell } from './cypherMessages.ts';

export const cell = (part: GraphCell): { readonly $: GraphCell } => ({ $: part });

/** @returns the part of the graph that a value represents */
export const partOf = (value: unknown): GraphCell | undefined =>
  typeof value === 'object' && value !== null && '$' in value ? (value.$ as GraphCell) : undefined;

/** @returns a map of the query as plain data @param plain converts its values */
export const mapCell = <Value>(
  map: Readonly<Record<string, Value>>,
  plain: (value: Value) => unknown,
): object =>
  Object.fromEntries(
    Object.entries(map).map(([key, value]) => [/^\$+$/.test(key) ? `$${key}` : key, plain(value)]),
  );

/** @returns names and values of a map of the query, as `mapCell` gave it */
export const entriesOf = (map: object): [string, unknown][] =>
  Object.entries(map).map(([key, value]) => [/^\$\$+$/.test(key) ? key.slice(1) : key, value]);
