/**
 * Packed rows of an answer, some hundred per batch: a thread packs them as they are found and transfers the bytes without a copy, and they
 * are unpacked batch by batch while a client reads. So a large table is in memory only once.
 */
import { deserialize, serialize } from 'node:v8';

/** Maximum rows per batch. */
const BATCH_ROWS = 500;
/** Maximum values per batch, where lists and texts count by length: batches of long rows have few rows. */
const BATCH_VALUES = 20_000;

export interface PackedRows {
  readonly count: number;
  /** Whether a row has a value that is not a graph part. */
  readonly hasLiterals: boolean;
  readonly batches: readonly Uint8Array<ArrayBuffer>[];
}

export const NO_ROWS: PackedRows = { count: 0, hasLiterals: false, batches: [] };

export class RowPacker {
  readonly #batches: Uint8Array<ArrayBuffer>[] = [];
  #open: (readonly unknown[])[] = [];
  #openValues = 0;
  #count = 0;
  #hasLiterals = false;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** @param size total size of its values @param hasLiterals whether one of them is not a graph part */
  add(row: readonly unknown[], size: number, hasLiterals: boolean): void {
    this.#open.push(row);
    this.#openValues += size;
    this.#count++;
    this.#hasLiterals ||= hasLiterals;
    if (this.#open.length >= BATCH_ROWS || this.#openValues >= BATCH_VALUES) this.#pack();
  }

  rows(): PackedRows {
    if (this.#open.length > 0) this.#pack();
    return { count: this.#count, hasLiterals: this.#hasLiterals, batches: this.#batches };
  }

  #pack(): void {
    // In a separate buffer, which can be transferred.
    const batch = Uint8Array.from(serialize(this.#open));
    this.#batches.push(batch);
    this.#bytes += batch.length;
    this.#open = [];
    this.#openValues = 0;
  }
}

/** Unpacks batch by batch. */
export function* unpackedRows({ batches }: PackedRows): Generator<readonly (readonly unknown[])[]> {
  for (const batch of batches) yield deserialize(batch) as readonly (readonly unknown[])[];
}

export function* eachRow(rows: PackedRows): Generator<readonly unknown[]> {
  for (const batch of unpackedRows(rows)) yield* batch;
}

/** Buffers that a thread transfers with a message instead of copying them. */
export const buffersOf = ({ batches }: PackedRows): ArrayBuffer[] => batches.map(({ buffer }) => buffer);
