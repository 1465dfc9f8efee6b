/** Stages what files say of objects themselves: descriptions, hints in passing, deletions. */
import type { NodeFact, Properties, PropertyValue } from '@clew/model';
import { type CopyRows, storableText } from '@clew/store';
import type { Place } from './fileScope.ts';
import { IdSet } from './idSet.ts';
import type { Mentions } from './mentions.ts';
import type { Numbers } from './numbers.ts';
import type { OwnAspects } from './ownAspects.ts';
import { placedJson } from './placedJson.ts';
import type { StagingTables } from './stagingTables.ts';

export class NodeStager {
  readonly #tables: StagingTables;
  readonly #numbers: Numbers;
  readonly #mentions: Mentions;
  #describedInBatch = new IdSet();
  #sequence = 0;

  constructor(tables: StagingTables, numbers: Numbers, mentions: Mentions) {
    this.#tables = tables;
    this.#numbers = numbers;
    this.#mentions = mentions;
  }

  add(place: Place, node: NodeFact, own: OwnAspects): void {
    const id = this.#numbers.id(place, node.objectId);
    if (id === undefined) return;
    this.#mentions.add(place, id);
    for (const kind of node.kinds) this.#mentions.addKind(place, id, kind);
    if (node.described) this.#describe(place, id, node.properties, own);
    else if (Object.keys(node.properties).length > 0) this.#hint(place, id, node.properties);
  }

  delete(place: Place, objectId: string): void {
    const id = this.#numbers.id(place, objectId);
    if (id === undefined) return;
    const rows = this.#tables.rows('stage_deleted');
    rows.row(1);
    rows.int4(id);
  }

  endBatch(): void {
    this.#describedInBatch = new IdSet();
  }

  #describe(place: Place, id: number, properties: Properties, { enumerated, emptied }: OwnAspects): void {
    const described = this.#tables.rows('stage_described');
    described.row(3);
    described.int4(id);
    described.int4(place.scope.origin);
    described.int8(enumerated.high, enumerated.low);
    const again = !this.#describedInBatch.add(id);
    const { kept, cleared } = again ? { kept: properties, cleared: [] } : splitNulls(properties);
    const rows = this.#tables.rows(again ? 'stage_node_again' : 'stage_node');
    rows.row(6);
    rows.int4(id);
    rows.int4(place.scope.origin);
    rows.int8(emptied.high, emptied.low);
    this.#writeEnvironment(rows, kept);
    rows.jsonb(placedJson(place, kept));
    if (again) rows.int4(this.#sequence++);
    else if (cleared.length === 0) rows.null();
    else rows.textArray(cleared.map(storableText));
  }

  #hint(place: Place, id: number, properties: Properties): void {
    const { kept } = splitNulls(properties);
    const rows = this.#tables.rows('stage_hint');
    rows.row(4);
    rows.int4(id);
    this.#writeEnvironment(rows, kept);
    rows.jsonb(placedJson(place, kept));
    rows.int4(this.#sequence++);
  }

  #writeEnvironment(rows: CopyRows, properties: Properties): void {
    const id = this.#numbers.environment(properties);
    if (id === undefined) rows.null();
    else rows.int4(id);
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
    // JSON leaves out what is undefined.
    if (cleared.length === 0) kept = { ...properties };
    kept[key] = undefined;
    cleared.push(key);
  }
  return { kept: kept as Properties, cleared };
}
