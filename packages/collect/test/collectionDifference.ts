/** The exact difference of two collections: relationships and properties, as sentences. */
import type { CollectionSource } from '@clew/collections';
import { edgeKindById } from '@clew/model';
import { collectedFacts } from '@clew/planning/testing';

/** A collection as sentences, each relationship and each property once. */
export type Statements = ReadonlySet<string>;

export const relationText = (start: string, kind: string, end: string): string => `${start} ${kind} ${end}`;
/** Attributes with several values have no order. */
export const propertyText = (id: string, property: string, value: unknown): string =>
  `${id} ${property}=${JSON.stringify(Array.isArray(value) ? [...value].sort() : value)}`;

export async function statementsIn(sources: Iterable<CollectionSource>): Promise<Statements> {
  const { nodes, edges } = await collectedFacts(sources);
  const ids = [...nodes.keys()];
  const found = new Set<string>();
  for (const { starts, kinds, ends } of edges.chunks())
    starts.forEach((start, at) => {
      found.add(relationText(ids[start]!, edgeKindById(kinds[at]!)?.name ?? '', ids[ends[at]!]!));
    });
  for (const [id, { properties }] of nodes)
    for (const [property, value] of Object.entries(properties)) found.add(propertyText(id, property, value));
  return found;
}

export const difference = (before: Statements, after: Statements): readonly string[] =>
  [
    ...[...before].filter((one) => !after.has(one)).map((one) => `- ${one}`),
    ...[...after].filter((one) => !before.has(one)).map((one) => `+ ${one}`),
  ].sort();
