/**
 * Assigns numbers to object ids, in bulk. A number is assigned at once and permanently, outside the transaction of the merge: if a job
 * fails, its next attempt finds the same numbers.
 */
import type pg from 'pg';

/** Maximum length of an object id, in bytes of UTF-8: below the limit of a PostgreSQL index. */
export const MAX_OBJECT_ID_BYTES = 2048;

/** Ids in the cache, about 120 bytes each. It may temporarily contain twice as many. */
const CACHE_IDS = 1_000_000;

/** Ids per statement. Each is looked up separately: for a join with a list, the planner guesses the length. */
const BATCH = 5_000;

const FIND = {
  name: 'find-object-ids',
  text: 'select object_id, id from object_id where object_id = any ($1)',
};
// Numbers come from a sequence, so inserting an existing id would waste one. `not in` uses a hash table, whatever lengths the planner
// guesses.
const FIND_OR_MAKE = {
  name: 'find-or-make-object-ids',
  text: `
with known as materialized (${FIND.text}),
made as (
  insert into object_id (object_id)
  select wanted.object_id from unnest($1::text[]) as wanted (object_id)
  where wanted.object_id not in (select object_id from known)
  order by wanted.object_id
  on conflict do nothing
  returning object_id, id
)
select object_id, id, false from known union all select object_id, id, true from made`,
};

export class ObjectIdDictionary {
  readonly #pool: pg.Pool;
  readonly #capacity: number;
  /** Two generations of cached ids: new ids go into the young one; when it is full, it replaces the old one. */
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  constructor(pool: pg.Pool, capacity = CACHE_IDS) {
    this.#pool = pool;
    this.#capacity = capacity;
  }

  /** @returns the number of a recently resolved id */
  get(objectId: string): number | undefined {
    const id = this.#young.get(objectId);
    if (id !== undefined) return id;
    const old = this.#old.get(objectId);
    if (old !== undefined) this.#remember(objectId, old);
    return old;
  }

  /**
   * Afterward, `get` returns all of them, until enough others are requested to fill the cache.
   * @param onMade receives each new number
   */
  async resolve(objectIds: ReadonlySet<string>, onMade: (id: number) => void = () => {}): Promise<void> {
    const wanted = [...objectIds];
    for (let at = 0; at < wanted.length; at += BATCH) {
      const batch = wanted.slice(at, at + BATCH);
      const missing = await this.#run(FIND_OR_MAKE, batch, onMade);
      // Another transaction inserted the same id, so it now exists.
      const lost = await this.#run(FIND, missing);
      if (lost.length > 0) throw new Error(`${lost.length} object ids were neither found nor created`);
    }
  }

  /** Caches the numbers that the statement returns. @returns the ids without a number */
  async #run(
    statement: typeof FIND,
    objectIds: readonly string[],
    onMade: (id: number) => void = () => {},
  ): Promise<string[]> {
    if (objectIds.length === 0) return [];
    const { rows } = await this.#pool.query<[objectId: string, id: number, isMade?: boolean]>({
      ...statement,
      values: [objectIds],
      rowMode: 'array',
    });
    for (const [objectId, id, isMade] of rows) {
      this.#remember(objectId, id);
      if (isMade === true) onMade(id);
    }
    if (rows.length === objectIds.length) return [];
    const given = new Set(rows.map(([objectId]) => objectId));
    return objectIds.filter((objectId) => !given.has(objectId));
  }

  #remember(objectId: string, id: number): void {
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(objectId, id);
  }
}

/** @returns why the store cannot keep the id; `undefined` if it can */
export function objectIdFault(objectId: string): string | undefined {
  if (objectId === '') return 'the object id is empty';
  // Skips counting bytes for ids of usual length.
  if (objectId.length > MAX_OBJECT_ID_BYTES / 3 && Buffer.byteLength(objectId) > MAX_OBJECT_ID_BYTES) {
    return `the object id is longer than ${MAX_OBJECT_ID_BYTES} bytes`;
  }
  if (objectId.includes('\0')) return 'the object id contains a NUL character';
  return objectId.isWellFormed() ? undefined : 'the object id is not valid Unicode';
}
