/**
 * The memory of a world: structures that are computed once and released with it. Analyzed facts have one (`AnalysisContext`), and a world,
 * which adds zones to facts, has another. Only here do plans keep structures of a world between two questions.
 *
 *     const COUNTS: Kept<number, number> = { name: 'principals outside a zone', max: 8 };
 *     world.memory.use(COUNTS, zone, () => countOf(zone));
 */

/** A kind of structure, with the types of its keys and values. Kinds are compared by identity. */
export interface Kept<Key, Value> {
  /** Name of the structure for errors. */
  readonly name: string;
  /** Maximum number of values; the least recently used is evicted. Default unlimited. */
  readonly max?: number;
  /** Compares two keys. Default: equality of numbers and strings, identity of objects. */
  readonly isSame?: (a: Key, b: Key) => boolean;
  /** Never set: declares the type of the values. */
  readonly valueType?: Value;
}

/** The only key of a structure that a world has once. */
export const ONCE = 'once';
export type Once = typeof ONCE;

export class WorldMemory {
  /** The values of each kind, most recently used last. */
  readonly #kinds = new Map<Kept<never, unknown>, Map<unknown, unknown>>();
  #hasEnded = false;

  /** @returns the value of the key, computed if missing @throws the error of `make`, after which nothing is stored */
  use<Key, Value>(kept: Kept<Key, Value>, key: Key, make: () => NoInfer<Value>): Value {
    const values = this.#valuesOf(kept);
    const known = knownKey(kept, values, key);
    if (known === undefined) return this.keep(kept, key, make());
    // Keeps the most recently used value last.
    const value = values.get(known.key) as Value;
    values.delete(known.key);
    values.set(known.key, value);
    return value;
  }

  /** @returns undefined if the key has no value */
  known<Key, Value>(kept: Kept<Key, Value>, key: Key): Value | undefined {
    const known = knownKey(kept, this.#valuesOf(kept), key);
    return known && this.use<Key, Value | undefined>(kept, known.key, () => undefined);
  }

  /** Stores a value, replacing that of the same key. */
  keep<Key, Value>(kept: Kept<Key, Value>, key: Key, value: NoInfer<Value>): Value {
    const values = this.#valuesOf(kept);
    const known = knownKey(kept, values, key);
    if (known !== undefined) values.delete(known.key);
    values.set(key, value);
    if (values.size > (kept.max ?? Number.POSITIVE_INFINITY))
      values.delete(values.keys().next().value as Key);
    return value;
  }

  /** Removes the value of the key. @returns the value, if any */
  take<Key, Value>(kept: Kept<Key, Value>, key: Key): Value | undefined {
    const values = this.#valuesOf(kept);
    const known = knownKey(kept, values, key);
    if (known === undefined) return undefined;
    const value = values.get(known.key) as Value;
    values.delete(known.key);
    return value;
  }

  /** @returns all values of the kind, most recently used last */
  valuesOf<Value>(kept: Kept<never, Value>): Value[] {
    return [...(this.#kinds.get(kept)?.values() ?? [])] as Value[];
  }

  /** Removes everything. An ended world must not be read, because its columns are reused by the next one. */
  end(): void {
    this.#kinds.clear();
    this.#hasEnded = true;
  }

  #valuesOf<Key>(kept: Kept<Key, unknown>): Map<Key, unknown> {
    if (this.#hasEnded) throw new Error(`${kept.name}: the world has ended`);
    let values = this.#kinds.get(kept);
    if (values === undefined) {
      values = new Map();
      this.#kinds.set(kept, values);
    }
    return values as Map<Key, unknown>;
  }
}

/** @returns the equal key that is stored */
function knownKey<Key>(
  { isSame }: Kept<Key, unknown>,
  values: ReadonlyMap<Key, unknown>,
  key: Key,
): { readonly key: Key } | undefined {
  if (values.has(key)) return { key };
  if (isSame === undefined) return undefined;
  for (const other of values.keys()) if (isSame(other, key)) return { key: other };
  return undefined;
}
