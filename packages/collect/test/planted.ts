/** Compares the graph of a collection with the planted objects of the directory. */
import type { CollectedGraph } from '@clew/planning/testing';
import type { Planted } from './lab.ts';

/** @returns a sentence for each statement that is not true in the graph */
export const plantedFaults = (graph: CollectedGraph, planted: readonly Planted[]): readonly string[] =>
  planted.flatMap((one) => {
    const found = one.kind === undefined ? propertyFault(graph, one) : relationFault(graph, one);
    return found === undefined
      ? []
      : [`${one.group}: ${describe(one)} is ${found}${one.note && ` (${one.note})`}`];
  });

const describe = ({ names, kind, property, value }: Planted): string =>
  kind === undefined ? `${names[0]} ${property} ${String(value)}` : `${names[0]} ${kind} ${names[1]}`;

function relationFault(
  graph: CollectedGraph,
  { source, kind, target, expect, props }: Planted,
): string | undefined {
  const found = graph.relation(source, kind ?? '', target ?? '');
  if ((found !== undefined) !== expect) return expect ? 'missing' : 'there';
  for (const [name, value] of Object.entries(props ?? {}))
    if (found !== undefined && found[name] !== value) return `there with ${name} ${found[name]}`;
  return undefined;
}

function propertyFault(
  graph: CollectedGraph,
  { group, source, property, value }: Planted,
): string | undefined {
  const properties = graph.propertiesOf(source);
  if (group === 'deleted') return properties?.name === undefined ? undefined : 'still an object';
  const found = properties?.[property ?? ''];
  // Readers write statuses as words, and all texts except titles in upper case.
  if (property === 'gpostatus') return ['3', 'Disabled'].includes(String(found)) ? undefined : String(found);
  const isSame =
    found === value ||
    (typeof found === 'string' &&
      typeof value === 'string' &&
      property !== 'title' &&
      found.toUpperCase() === value.toUpperCase());
  return isSame ? undefined : String(found);
}
