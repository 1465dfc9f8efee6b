/** The rows of all nodes as a load read them, in the order of their object ids, to be read again without the database. */
import { CopyRow } from '@clew/store';

const BLOCK_BYTES = 1 << 20;

/** Columns that every row begins with. */
const STORE_ID = 0;
const OBJECT_ID = 1;

export interface ChangedNode {
  readonly storeId: number;
  readonly objectId: Buffer;
  /** Absent for a node that is gone. */
  readonly row?: Buffer;
}

/** @returns what a row of the database changes; its bytes are copied */
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

  /** Number of nodes. */
  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#blocks = [];
    this.#used = 0;
    this.#count = 0;
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
    this.#used += row.length;
    this.#count++;
  }

  /** @param visit gets each row, valid during the call */
  forEach(visit: (row: CopyRow) => void): void {
    const row = new CopyRow();
    for (const [place, whole] of this.#blocks.entries()) {
      const block = place === this.#blocks.length - 1 ? whole.subarray(0, this.#used) : whole;
      for (let at = 0; at < block.length; ) {
        const next = row.read(block, at);
        visit(row);
        at = next;
      }
    }
  }

  /** Takes in what changed. @param changes in the order of object ids, each node once */
  change(changes: readonly ChangedNode[]): void {
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
    this.#blocks = merged.#blocks;
    this.#used = merged.#used;
    this.#count = merged.#count;
  }
}

function isBefore(objectId: Buffer, row: CopyRow): boolean {
  const start = row.starts[OBJECT_ID];
  return objectId.compare(row.bytes, start, start + row.lengths[OBJECT_ID]) < 0;
}
