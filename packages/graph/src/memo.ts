/** Maps that compute missing values on first access. */

interface Kept<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** @returns the value of the key; if it is missing, it is computed and stored */
export function getOrMake<Key, Value>(
  kept: Kept<Key, Value>,
  key: Key,
  make: (key: Key) => NoInfer<Value>,
): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  kept.set(key, made);
  return made;
}

/** Adds an item to the list of a key, which is created if missing. */
export function addTo<Key, Item>(lists: Kept<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Adds to the count of a key, which starts at 0. */
export function addCount<Key>(counts: Kept<Key, number>, key: Key, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
