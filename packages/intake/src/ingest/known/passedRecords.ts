/** Handles known records that arrive again: updates their time, and marks their objects as seen. */
import type { FileScope } from '../staging/fileScope.ts';
import type { StagingTables } from '../staging/stagingTables.ts';
import type { Facets } from './facets.ts';
import type { KnownRecords } from './knownRecords.ts';
import type { Touches } from './touches.ts';

export class PassedRecords {
  readonly #tables: StagingTables;
  readonly #known: KnownRecords;
  readonly #touches: Touches;

  constructor(tables: StagingTables, known: KnownRecords, touches: Touches) {
    this.#tables = tables;
    this.#known = known;
    this.#touches = touches;
  }

  /** @returns the aspects that the record enumerated @throws PassedTooSoon */
  add({ origin, sourceId, seen }: FileScope, record: number): Facets | undefined {
    const known = this.#known;
    known.forEachPart(record, (node, source, facets) => this.#touches.pass(node, source, facets));
    const described = known.described(record);
    if (described !== undefined) {
      const { node, aspects } = described;
      this.#tables.rows('described').begin().id(node).origin(origin).aspects(aspects.high, aspects.low);
    }
    for (const node of known.seen(record)) seen.add(node);
    const samples = known.samples(record);
    for (let at = 0; at < samples.length; at += 5)
      this.#tables
        .rows('sample')
        .begin()
        .start_id(samples[at])
        .kind_id(samples[at + 1])
        .end_id(samples[at + 2])
        .source_id(sourceId)
        .owner_id(samples[at + 4])
        .origin(origin)
        .flags(samples[at + 3])
        .properties(null)
        .sequence(0);
    const dated = known.dated(record);
    for (let at = 0; at < dated.length; at += 2)
      this.#tables
        .rows('dated')
        .begin()
        .owner_id(dated[at])
        .aspect(dated[at + 1])
        .source_id(sourceId)
        .origin(origin);
    return described?.aspects;
  }
}
