/**
 * Stages facts about objects themselves: descriptions, hints, deletions. The store has no facts yet about an
 * object whose number was created in this job, so an object described at its first mention is written to the store
 * directly; later facts about it are merged as usual.
 */
import { mayBeWellKnown } from '@clew/analysis';
import type { NodeFact, Properties, PropertyValue } from '@clew/model';
import { storableText } from '@clew/store';
import { PROPERTIES } from '../known/facets.ts';
import type { RecordMemory } from '../known/recordMemory.ts';
import type { Place } from './fileScope.ts';
import { IdSet } from './idSet.ts';
import type { FirstMention, Mentions } from './mentions.ts';
import type { Numbers } from './numbers.ts';
import type { OwnAspects } from './ownAspects.ts';
import { placedJson } from './placedJson.ts';
import type { StagingTables } from './stagingTables.ts';

export class NodeStager {
  readonly #tables: StagingTables;
  readonly #numbers: Numbers;
  readonly #mentions: Mentions;
  readonly #memory: RecordMemory;
  #describedInBatch = new IdSet();
  #sequence = 0;

  constructor(tables: StagingTables, numbers: Numbers, mentions: Mentions, memory: RecordMemory) {
    this.#tables = tables;
    this.#numbers = numbers;
    this.#mentions = mentions;
    this.#memory = memory;
  }

  add(place: Place, node: NodeFact, own: OwnAspects): void {
    const id = this.#numbers.id(place, node.objectId);
    if (id === undefined) return;
    this.#mentions.add(place, id);
    for (const kind of node.kinds) {
      if (node.described) this.#mentions.stateKind(place, id, kind);
      else this.#mentions.addKind(place, id, kind);
    }
    if (node.described) this.#describe(place, id, node, own);
    else if (Object.keys(node.properties).length > 0) this.#hint(place, id, node.properties);
  }

  delete(place: Place, objectId: string): void {
    const id = this.#numbers.id(place, objectId);
    if (id === undefined) return;
    place.notes.cannotBeKnown();
    this.#memory.delete(id);
    this.#tables.rows('deleted').begin().id(id);
  }

  endBatch(): void {
    this.#describedInBatch = new IdSet();
  }

  #describe(
    place: Place,
    id: number,
    { objectId, kinds, properties }: NodeFact,
    { enumerated, emptied }: OwnAspects,
  ): void {
    const { origin } = place.scope;
    place.notes.describes(id, enumerated);
    this.#tables.rows('described').begin().id(id).origin(origin).aspects(enumerated.high, enumerated.low);
    const { domain } = properties;
    const isOfDirectory = kinds[0] === 'Base';
    if (
      isOfDirectory &&
      typeof domain === 'string' &&
      domain !== '' &&
      this.#environmentOf(properties) === null
    )
      this.#tables.rows('unplaced').begin().id(id).origin(origin).domain(storableText(domain.toUpperCase()));
    const first = this.#mentionOfNew(id, objectId);
    if (first !== undefined) this.#store(place, id, first, splitNulls(properties).kept);
    else if (this.#describedInBatch.add(id)) {
      const { kept, cleared } = splitNulls(properties);
      this.#tables
        .rows('node')
        .begin()
        .id(id)
        .origin(origin)
        .emptied(emptied.high, emptied.low)
        .environment_id(this.#environmentOf(kept))
        .properties(placedJson(place, kept))
        .cleared(cleared.length === 0 ? null : cleared.map(storableText));
    } else {
      this.#tables
        .rows('nodeAgain')
        .begin()
        .id(id)
        .origin(origin)
        .emptied(emptied.high, emptied.low)
        .environment_id(this.#environmentOf(properties))
        .properties(placedJson(place, properties))
        .sequence(this.#sequence++);
    }
  }

  /** The analysis may create nodes of well-known groups concurrently. */
  #mentionOfNew(id: number, objectId: string): FirstMention | undefined {
    if (!this.#numbers.isNew(id) || mayBeWellKnown(objectId)) return undefined;
    return this.#mentions.takeFirst(id);
  }

  #store(place: Place, id: number, { scope, kinds }: FirstMention, properties: Properties): void {
    this.#tables
      .rows('newNode')
      .begin()
      .id(id)
      .kinds(kinds)
      .environment_id(this.#environmentOf(properties))
      .properties(placedJson(place, properties))
      .described(true)
      .first_seen(scope.observed.high, scope.observed.low);
  }

  #hint(place: Place, id: number, properties: Properties): void {
    const { kept } = splitNulls(properties);
    place.notes.says(id, PROPERTIES);
    this.#tables
      .rows('hint')
      .begin()
      .id(id)
      .origin(place.scope.origin)
      .environment_id(this.#environmentOf(kept))
      .properties(placedJson(place, kept))
      .sequence(this.#sequence++);
  }

  #environmentOf(properties: Properties): number | null {
    return this.#numbers.environment(properties) ?? null;
  }
}

function splitNulls(properties: Properties): {
  readonly kept: Properties;
  readonly cleared: readonly string[];
} {
  let kept = properties as Record<string, PropertyValue | undefined>;
  const cleared: string[] = [];
  for (const key in properties) {
    if (properties[key] !== null) continue;
    // JSON omits undefined values.
    if (cleared.length === 0) kept = { ...properties };
    kept[key] = undefined;
    cleared.push(key);
  }
  return { kept: kept as Properties, cleared };
}
