/** Records whose facts are unchanged in the store, in memory: about 150 bytes each. */
import { type CopyRow, copyOut } from '@clew/store';
import type pg from 'pg';
import { IdSet } from '../staging/idSet.ts';
import { DigestTable } from './digestTable.ts';
import type { Facets } from './facets.ts';
import { Lists } from './lists.ts';

const NONE = -1;
/** Larger tables are not loaded, because they would take several gigabytes. */
const MAX_ROWS = 12_000_000;

interface Sizes {
  readonly rows: number;
  readonly seen: number;
  readonly samples: number;
  readonly dated: number;
}

const SIZES = `
select count(*)::integer as rows, coalesce(sum(cardinality(seen)), 0)::integer as seen,
       coalesce(sum(cardinality(samples)), 0)::integer as samples, coalesce(sum(cardinality(dated)), 0)::integer as dated
from known_record`;

const ROWS =
  'select digest, node_id, source_id, facets, parts, aspects, seen, samples, dated from known_record';

/** Deleted objects are re-created by the record that mentions them. */
const ALIVE = 'select id from node where deleted_at is null and not derived';

export class KnownRecords {
  readonly #digests: DigestTable;
  readonly #alive: IdSet;
  /** Values by record: number of expected rows, number of found rows, index of the first row. */
  readonly #parts: Uint16Array;
  readonly #partsFound: Uint16Array;
  readonly #firstPart: Int32Array;
  readonly #described: Int32Array;
  readonly #aspectsHigh: Int32Array;
  readonly #aspectsLow: Int32Array;
  readonly #seen: Lists;
  readonly #samples: Lists;
  readonly #dated: Lists;
  /** Next part, indexed by row. */
  readonly #nextPart: Int32Array;
  readonly #node: Int32Array;
  readonly #source: Int16Array;
  readonly #high: Int32Array;
  readonly #low: Int32Array;
  #rows = 0;

  private constructor({ rows, seen, samples, dated }: Sizes, alive: IdSet) {
    this.#digests = new DigestTable(rows);
    this.#alive = alive;
    this.#parts = new Uint16Array(rows);
    this.#partsFound = new Uint16Array(rows);
    this.#firstPart = new Int32Array(rows).fill(NONE);
    this.#described = new Int32Array(rows).fill(NONE);
    this.#aspectsHigh = new Int32Array(rows);
    this.#aspectsLow = new Int32Array(rows);
    this.#seen = new Lists(rows, seen);
    this.#samples = new Lists(rows, samples);
    this.#dated = new Lists(rows, dated);
    this.#nextPart = new Int32Array(rows);
    this.#node = new Int32Array(rows);
    this.#source = new Int16Array(rows);
    this.#high = new Int32Array(rows);
    this.#low = new Int32Array(rows);
  }

  /** @param client holds the ingest lock, so known records cannot change concurrently */
  static async load(client: pg.ClientBase): Promise<KnownRecords | undefined> {
    const { rows } = await client.query<Sizes>(SIZES);
    const sizes = rows[0] as Sizes;
    if (sizes.rows === 0 || sizes.rows > MAX_ROWS) return undefined;
    const alive = new IdSet();
    await copyOut(client, ALIVE, (row) => {
      alive.add(row.int4(0));
    });
    const known = new KnownRecords(sizes, alive);
    await copyOut(client, ROWS, (row) => known.#add(row));
    return known;
  }

  #add(row: CopyRow): void {
    const record = this.#digests.add(row.field(0));
    const part = this.#rows++;
    this.#node[part] = row.int4(1);
    this.#source[part] = row.int2(2);
    this.#high[part] = row.int8High(3);
    this.#low[part] = row.int8Low(3);
    this.#parts[record] = row.int2(4);
    this.#partsFound[record]++;
    this.#nextPart[part] = this.#firstPart[record];
    this.#firstPart[record] = part;
    if (!row.isNull(5)) {
      this.#described[record] = row.int4(1);
      this.#aspectsHigh[record] = row.int8High(5);
      this.#aspectsLow[record] = row.int8Low(5);
    }
    addList(this.#seen, record, row, 6);
    addList(this.#samples, record, row, 7);
    addList(this.#dated, record, row, 8);
  }

  /** @returns the number of the record, unless any of its facts has changed in the store */
  find(digest: Uint8Array): number | undefined {
    const record = this.#digests.find(digest as Buffer);
    if (record === undefined || this.#partsFound[record] !== this.#parts[record]) return undefined;
    for (const node of this.seen(record)) if (!this.#alive.has(node)) return undefined;
    return record;
  }

  /** Visits all parts that the record describes. */
  forEachPart(record: number, visit: (node: number, sourceId: number, facets: Facets) => void): void {
    for (let part = this.#firstPart[record]; part !== NONE; part = this.#nextPart[part])
      visit(this.#node[part], this.#source[part], { high: this.#high[part], low: this.#low[part] });
  }

  /** @returns the object that the record describes, with its enumerated aspects */
  described(record: number): { readonly node: number; readonly aspects: Facets } | undefined {
    const node = this.#described[record];
    if (node === NONE) return undefined;
    return { node, aspects: { high: this.#aspectsHigh[record], low: this.#aspectsLow[record] } };
  }

  seen(record: number): Int32Array {
    return this.#seen.of(record);
  }

  /** @returns start, kind, end, flags and owner of each sample */
  samples(record: number): Int32Array {
    return this.#samples.of(record);
  }

  /** @returns owner and aspect of each set that is dated by its file */
  dated(record: number): Int32Array {
    return this.#dated.of(record);
  }
}

function addList(lists: Lists, record: number, row: CopyRow, field: number): void {
  if (row.isNull(field)) return;
  const length = row.arrayLength(field);
  if (length > 0) row.int4Array(field, lists.add(record, length), 0);
}
