/**
 * The memory of a world: structures that are worked out once and end with it. Analyzed facts have one (`AnalysisContext`), and a world, which
 * adds zones to facts, has another. Plans keep structures of a world between two questions only here.
 *
 *     const COUNTS: Kept<number, number> = { name: 'principals outside a zone', max: 8 };
 *     world.memory.use(COUNTS, zone, () => countOf(zone));
 */

/** A kind of structure, with the type of its keys and values. Two kinds are the same if they are one object. */
export interface Kept<Key, Value> {
  /** Names the structure in errors. */
  readonly name: string;
  /** The number of values that are kept: the one that was used longest ago goes first. Default: all. */
  readonly max?: number;
  /** Compares two keys. Default: they are the same number, text or object. */
  readonly isSame?: (a: Key, b: Key) => boolean;
  /** Is never set: it declares the type of the values. */
  readonly valueType?: Value;
}

/** The one key of a structure that a world has once. */
export const ONCE = 'once';
export type Once = typeof ONCE;

export class WorldMemory {
  /** The values of each kind, the one that was used last at the end. */
  readonly #kinds = new Map<Kept<never, unknown>, Map<unknown, unknown>>();
  #hasEnded = false;

  /** @returns the value of the key, which is made if it is not kept @throws the error of `make`, after which nothing is kept */
  use<Key, Value>(kept: Kept<Key, Value>, key: Key, make: () => NoInfer<Value>): Value {
    const values = this.#valuesOf(kept);
    const known = knownKey(kept, values, key);
    if (known === undefined) return this.keep(kept, key, make());
    // The value that was used last is at the end.
    const value = values.get(known.key) as Value;
    values.delete(known.key);
    values.set(known.key, value);
    return value;
  }

  /** @returns nothing where no value of the key is kept */
  known<Key, Value>(kept: Kept<Key, Value>, key: Key): Value | undefined {
    const known = knownKey(kept, this.#valuesOf(kept), key);
    return known && this.use<Key, Value | undefined>(kept, known.key, () => undefined);
  }

  /** Keeps a value in place of that of the same key. */
  keep<Key, Value>(kept: Kept<Key, Value>, key: Key, value: NoInfer<Value>): Value {
    const values = this.#valuesOf(kept);
    const known = knownKey(kept, values, key);
    if (known !== undefined) values.delete(known.key);
    values.set(key, value);
    if (values.size > (kept.max ?? Number.POSITIVE_INFINITY))
      values.delete(values.keys().next().value as Key);
    return value;
  }

  /** Forgets the value of the key. @returns the value, if one was kept */
  take<Key, Value>(kept: Kept<Key, Value>, key: Key): Value | undefined {
    const values = this.#valuesOf(kept);
    const known = knownKey(kept, values, key);
    if (known === undefined) return undefined;
    const value = values.get(known.key) as Value;
    values.delete(known.key);
    return value;
  }

  /** @returns all values of the kind, the one that was used last at the end */
  valuesOf<Value>(kept: Kept<never, Value>): Value[] {
    return [...(this.#kinds.get(kept)?.values() ?? [])] as Value[];
  }

  /** Forgets everything. A world that has ended must not be read: its columns serve the next one. */
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

/** @returns the same key as it is kept */
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
