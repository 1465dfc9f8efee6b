/**
 * Remembers the records whose facts are stored unchanged, and forgets a record as soon as another record that
 * describes the same objects is read. A record is remembered only if no other record of its job describes the same
 * facts.
 */
import type { Numbers } from '../staging/numbers.ts';
import type { StagingTables } from '../staging/stagingTables.ts';
import { EVERYTHING } from './facets.ts';
import type { RecordNotes, RecordPart } from './recordNotes.ts';
import type { Touches } from './touches.ts';

export class RecordMemory {
  readonly #tables: StagingTables;
  readonly #numbers: Numbers;
  readonly #touches: Touches;

  constructor(tables: StagingTables, numbers: Numbers, touches: Touches) {
    this.#tables = tables;
    this.#numbers = numbers;
    this.#touches = touches;
  }

  /** @throws PassedTooSoon */
  add(notes: RecordNotes, sourceId: number, digest: Uint8Array | undefined): void {
    const { parts } = notes;
    let isAlone = true;
    let areAllNew = true;
    for (const part of parts) {
      if (this.#touches.read(part.node, sourceId, part)) {
        isAlone = false;
        this.#write('sharedRecord', part, sourceId);
      }
      // Objects that are new to the store have no remembered records from earlier jobs.
      if (this.#numbers.isNew(part.node)) continue;
      areAllNew = false;
      this.#write('readRecord', part, sourceId);
    }
    if (isAlone && digest !== undefined && notes.canBeKnown)
      this.#remember(areAllNew ? 'newRecord' : 'record', notes, parts, sourceId, digest);
  }

  /** The object leaves the graph, so every record about it becomes invalid. */
  delete(node: number): void {
    for (const table of ['readRecord', 'sharedRecord'] as const)
      this.#tables.rows(table).begin().node_id(node).source_id(null).facets(EVERYTHING.high, EVERYTHING.low);
  }

  #write(table: 'readRecord' | 'sharedRecord', { node, high, low }: RecordPart, sourceId: number): void {
    this.#tables.rows(table).begin().node_id(node).source_id(sourceId).facets(high, low);
  }

  #remember(
    table: 'newRecord' | 'record',
    notes: RecordNotes,
    parts: readonly RecordPart[],
    sourceId: number,
    digest: Uint8Array,
  ): void {
    const rows = this.#tables.rows(table);
    for (const [at, { node, high, low }] of parts.entries()) {
      const start = rows
        .begin()
        .node_id(node)
        .source_id(sourceId)
        .facets(high, low)
        .digest(digest)
        .parts(parts.length);
      if (at > 0) {
        start.aspects(null).seen(null).samples(null).dated(null);
        continue;
      }
      const { enumerated, seen, samples, dated } = notes;
      const rest =
        enumerated === undefined ? start.aspects(null) : start.aspects(enumerated.high, enumerated.low);
      rest
        .seen(seen)
        .samples(samples.length === 0 ? null : samples)
        .dated(dated.length === 0 ? null : dated);
    }
  }
}
