/**
 * The facts of a change that differ from the previous analysis, with their old and new values. Collections do not show who made
 * the changes.
 */
import type { ProofFact } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findNode, type JsonValue, NO_NODE } from '@clew/graph';
import type { AnalyzedWorld } from '@clew/planning';
import { type EarlierWrites, lastWriteOfProperty, lastWriteOfRelation, writtenText } from './lastWrites.ts';
import { objectRecord } from './planRecords.ts';
import type { ChangeFacts } from './startedFacts.ts';

/** Results of earlier releases have the text and its objects. */
export interface MovedFact extends Partial<Omit<ProofFact, 'text'>> {
  readonly text: string;
  /** Objects named in the text. */
  readonly object_ids: readonly string[];
}

interface ChangedPlaces {
  /** Places of changed facts now. */
  readonly done: readonly number[];
  readonly before: readonly number[];
  readonly earlier: EarlierWrites;
}

/** Maximum number of described facts of a change in one analysis. */
const MAX_MOVED = 10;
/** Maximum length of a value in a text. */
const MAX_VALUE = 500;

export interface MovedFacts {
  readonly moved: readonly MovedFact[];
  /** Number of changed facts; the described facts are limited to `MAX_MOVED`. */
  readonly moved_count: number;
}

export function movedFacts(
  generation: Generation,
  world: AnalyzedWorld,
  { removed, properties }: ChangeFacts,
  { done, before, earlier }: ChangedPlaces,
): MovedFacts {
  const { graph } = generation;
  const [now, then] = [new Set(done), new Set(before)];
  const moved = [...done.filter((at) => !then.has(at)), ...before.filter((at) => !now.has(at))];
  const recordOf = (id: string) => {
    const node = findNode(graph, id);
    return node === NO_NODE ? { object_id: id, name: id, kind: '' } : objectRecord(generation, node);
  };
  const described = moved.slice(0, MAX_MOVED).flatMap((at): MovedFact[] => {
    const isGone = now.has(at);
    const relation = removed[at];
    if (relation !== undefined) {
      const objects = [recordOf(relation.start), recordOf(relation.end)];
      const [start, end] = objects.map(({ name }) => name);
      const write = lastWriteOfRelation(world, relation, earlier);
      return [
        {
          text: `${relation.kind} from ${start} to ${end} ${isGone ? 'was removed' : 'exists again'}${writtenText(write)}`,
          last_write: write,
          object_ids: [relation.start, relation.end],
          ...{ what: 'relationship', name: relation.kind, objects },
          ...(isGone ? { old: 'exists', new: 'removed' } : { old: 'removed', new: 'exists' }),
        },
      ];
    }
    const property = properties[at - removed.length];
    if (property === undefined) return [];
    const { object_id, key, old } = property;
    const node = findNode(graph, object_id);
    const value = node === NO_NODE ? undefined : (world.context.properties.value(key, node) ?? null);
    const object = recordOf(object_id);
    const write = lastWriteOfProperty(world, property, earlier);
    const [was, is] = [valueText(old), value === undefined ? DELETED : valueText(value)];
    return [
      {
        text: `${key} of ${object.name} was ${was}, ${value === undefined ? 'the object was deleted' : `now ${is}`}${writtenText(write)}`,
        last_write: write,
        object_ids: [object_id],
        ...{ what: 'property', name: key, objects: [object] },
        // The intermediate value is not stored.
        ...(isGone ? { old: was, new: is } : { old: 'another value', new: is }),
      },
    ];
  });
  return { moved: described, moved_count: moved.length };
}

const DELETED = 'the object was deleted';

export function valueText(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE).toWellFormed()}...`;
}
