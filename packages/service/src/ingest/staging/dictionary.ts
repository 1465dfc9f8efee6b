/**
 * Numbers for object ids, in bulk. A number is given at once and for good, outside the transaction of the merge: when
 * a job dies, the numbers it took are there for its next attempt.
 */
import type pg from 'pg';

/** Longest object id, in bytes of UTF-8: what an index of PostgreSQL takes, with room to spare. */
export const MAX_OBJECT_ID_BYTES = 2048;

/** Text ids the cache keeps; about 120 bytes each. It holds up to twice as many while it turns over. */
const CACHE_IDS = 1_000_000;

// Numbers come from a sequence: an id that is there must not be offered for insertion, it would burn one.
const RESOLVE = `
with asked as (
  select object_id collate "C" as object_id, place from unnest($1::text[]) with ordinality as asked (object_id, place)
), known as (
  select asked.place, object_id.id from asked join object_id using (object_id)
), made as (
  insert into object_id (object_id)
  select object_id from asked where place not in (select place from known) order by object_id
  on conflict do nothing
  returning id, object_id
)
select array_agg(coalesce(known.id, made.id) order by asked.place) as ids
from asked left join known using (place) left join made using (object_id)`;

export class ObjectIdDictionary {
  readonly #pool: pg.Pool;
  readonly #capacity: number;
  /** Two halves: the young one takes new ids; when it is full it becomes the old one, and the old one is dropped. */
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  constructor(pool: pg.Pool, capacity = CACHE_IDS) {
    this.#pool = pool;
    this.#capacity = capacity;
  }

  /** @returns the number of an id that was resolved lately. */
  get(objectId: string): number | undefined {
    const id = this.#young.get(objectId);
    if (id !== undefined) return id;
    const old = this.#old.get(objectId);
    if (old !== undefined) this.#remember(objectId, old);
    return old;
  }

  /** Afterwards `get` knows all of them, until as many others as the cache holds have been asked for. */
  async resolve(objectIds: ReadonlySet<string>): Promise<void> {
    let missing = [...objectIds];
    while (missing.length > 0) {
      const { rows } = await this.#pool.query<{ ids: (number | null)[] }>({
        name: 'resolve-object-ids',
        text: RESOLVE,
        values: [missing],
      });
      const { ids } = rows[0];
      for (const [place, objectId] of missing.entries()) {
        const id = ids[place];
        if (id !== null) this.#remember(objectId, id);
      }
      // Somebody else was inserting the same id: it is there now.
      missing = missing.filter((_, place) => ids[place] === null);
    }
  }

  #remember(objectId: string, id: number): void {
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(objectId, id);
  }
}

/** @returns why the store cannot keep the id; nothing when it can. */
export function objectIdFault(objectId: string): string | undefined {
  if (objectId === '') return 'the object id is empty';
  // Cheap for ids as collectors write them.
  if (objectId.length > MAX_OBJECT_ID_BYTES / 3 && Buffer.byteLength(objectId) > MAX_OBJECT_ID_BYTES) {
    return `the object id is longer than ${MAX_OBJECT_ID_BYTES} bytes`;
  }
  if (objectId.includes('\0')) return 'the object id holds a NUL character';
  return objectId.isWellFormed() ? undefined : 'the object id is not valid Unicode';
}
