/**
 * Determines the planted flaws of an organization from the files of two generations, with flaws and without. A relation that only the first
 * has was planted, and an object whose properties differ has a wrong setting.
 */
import type { EdgeRef } from '@clew/analysis';
import { sourceFromBytes } from '@clew/collections';
import { type AttackGraph, objectIdOf } from '@clew/graph';
import { type CollectedFacts, collectedFacts } from '../../packages/planning/test/collectedFacts.ts';
import type { CollectedFile } from './organizations.ts';

export interface Truth {
  /** Relations that only the organization with flaws has, by `relationKey`. */
  readonly planted: ReadonlySet<string>;
  /** Ids of objects with a planted setting. */
  readonly wrong: ReadonlySet<string>;
}

const relationText = (start: string, kind: number, end: string): string => `${start} ${kind} ${end}`;

export const relationKey = (graph: AttackGraph, { start, kind, end }: EdgeRef): string =>
  relationText(objectIdOf(graph, start), kind, objectIdOf(graph, end));

/** @param flawed files with the flaws @param clean files of the same organization without them */
export async function truthOf(
  flawed: readonly CollectedFile[],
  clean: readonly CollectedFile[],
): Promise<Truth> {
  const [found, right] = [await factsOf(flawed), await factsOf(clean)];
  const ordinary = new Set(relationsOf(right));
  return {
    planted: new Set([...relationsOf(found)].filter((relation) => !ordinary.has(relation))),
    wrong: new Set(
      [...right.nodes].flatMap(([id, { properties }]) =>
        JSON.stringify(properties) === JSON.stringify(found.nodes.get(id)?.properties) ? [] : [id],
      ),
    ),
  };
}

const factsOf = (files: readonly CollectedFile[]): Promise<CollectedFacts> =>
  collectedFacts(files.map(({ name, bytes }) => sourceFromBytes(name, bytes)));

function* relationsOf({ nodes, edges }: CollectedFacts): Generator<string> {
  const ids = [...nodes.keys()];
  for (const { starts, kinds, ends } of edges.chunks())
    for (const [at, start] of starts.entries())
      yield relationText(ids[start] as string, kinds[at] as number, ids[ends[at] as number] as string);
}
