/** The rows of all nodes as a load read them, sorted by object id, so that they can be read again without the database. */
import { NO_NODE } from '@clew/graph';
import { CopyRow } from '@clew/store';

const BLOCK_BYTES = 1 << 20;
/** A place is one number, composed of the number of the block and the offset in it. */
const BLOCK_UNIT = 2 ** 32;

/** The first columns of every row. */
const STORE_ID = 0;
const OBJECT_ID = 1;

export interface ChangedNode {
  readonly storeId: number;
  readonly objectId: Buffer;
  /** Absent for a deleted node. */
  readonly row?: Buffer;
}

/** `none`: no row changed; `rows`: rows of the same nodes changed; `nodes`: nodes were added or removed. */
export type NodeChanges = 'none' | 'rows' | 'nodes';

/** @returns the change in a row of the database; its bytes are copied */
export function changedNode(row: CopyRow, isGone: boolean): ChangedNode {
  return {
    storeId: row.int4(STORE_ID),
    objectId: Buffer.from(row.field(OBJECT_ID)),
    ...(!isGone && { row: Buffer.from(row.raw) }),
  };
}

export class KnownNodes {
  #blocks: Buffer[] = [];
  #used = 0;
  #count = 0;
  /** Start of each row. */
  #places = new Float64Array(1 << 10);
  /** Changed rows, by number. */
  #replaced = new Map<number, Buffer>();

  /** Number of nodes. */
  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#become(new KnownNodes());
  }

  /** Appends a row; its bytes are copied. */
  add(row: Buffer): void {
    let block = this.#blocks.at(-1);
    if (block === undefined || this.#used + row.length > block.length) {
      if (block !== undefined) this.#blocks[this.#blocks.length - 1] = block.subarray(0, this.#used);
      block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, row.length));
      this.#blocks.push(block);
      this.#used = 0;
    }
    row.copy(block, this.#used);
    if (this.#count === this.#places.length) {
      const places = new Float64Array(this.#count * 2);
      places.set(this.#places);
      this.#places = places;
    }
    this.#places[this.#count++] = (this.#blocks.length - 1) * BLOCK_UNIT + this.#used;
    this.#used += row.length;
  }

  /** @param visit receives each row, valid during the call */
  forEach(visit: (row: CopyRow) => void): void {
    const row = new CopyRow();
    for (let number = 0; number < this.#count; number++) {
      this.#read(row, number);
      visit(row);
    }
  }

  /**
   * Applies changes. @param changes in the order of object ids, each node once @param numberOf number of a row by its
   * store id, NO_NODE for missing ones @returns the differences from the earlier rows, with the store ids of these
   * nodes
   */
  change(
    changes: readonly ChangedNode[],
    numberOf: (storeId: number) => number,
  ): { readonly kind: NodeChanges; readonly storeIds: readonly number[] } {
    const row = new CopyRow();
    const storeIds: number[] = [];
    const replaced: [number, Buffer][] = [];
    let kind: NodeChanges = 'none';
    for (const change of changes) {
      const number = numberOf(change.storeId);
      if (number === NO_NODE && change.row === undefined) continue;
      if (number === NO_NODE || change.row === undefined) kind = 'nodes';
      else {
        this.#read(row, number);
        if (row.raw.equals(change.row)) continue;
        replaced.push([number, change.row]);
        if (kind === 'none') kind = 'rows';
      }
      storeIds.push(change.storeId);
    }
    if (kind === 'nodes') this.#become(this.#merged(changes));
    else for (const [number, bytes] of replaced) this.#replaced.set(number, bytes);
    return { kind, storeIds };
  }

  #merged(changes: readonly ChangedNode[]): KnownNodes {
    const changed = new Set(changes.map(({ storeId }) => storeId));
    const merged = new KnownNodes();
    let waiting = 0;
    const addWaiting = (isDue: (objectId: Buffer) => boolean): void => {
      for (; waiting < changes.length && isDue(changes[waiting].objectId); waiting++) {
        const { row } = changes[waiting];
        if (row !== undefined) merged.add(row);
      }
    };
    this.forEach((row) => {
      if (changed.has(row.int4(STORE_ID))) return;
      addWaiting((objectId) => isBefore(objectId, row));
      merged.add(row.raw);
    });
    addWaiting(() => true);
    return merged;
  }

  #read(row: CopyRow, number: number): void {
    const replacement = this.#replaced.size === 0 ? undefined : this.#replaced.get(number);
    if (replacement !== undefined) {
      row.read(replacement, 0);
      return;
    }
    const place = this.#places[number];
    row.read(this.#blocks[Math.floor(place / BLOCK_UNIT)], place % BLOCK_UNIT);
  }

  #become(other: KnownNodes): void {
    this.#blocks = other.#blocks;
    this.#used = other.#used;
    this.#count = other.#count;
    this.#places = other.#places;
    this.#replaced = other.#replaced;
  }
}

function isBefore(objectId: Buffer, row: CopyRow): boolean {
  const start = row.starts[OBJECT_ID];
  return objectId.compare(row.bytes, start, start + row.lengths[OBJECT_ID]) < 0;
}
