/** Measures values for the limit on answers. The size of a value includes everything it contains, with repetitions. */
import { CypherError } from '../cypherError.ts';
import { isList, isMap, type Value } from './values.ts';

/** Number of characters that count as one more value. */
const CHARACTERS_OF_VALUE = 1024;
/**
 * Number of items of lists and maps that count as one more value. It is more than one, because showing the
 * relationships of a path costs little more than showing the path.
 */
const ITEMS_OF_VALUE = 8;
/** Maximum nesting depth of lists and maps. */
const MAX_DEPTH = 100;

/**
 * @param most stops counting at this number
 * @returns the size, or any number above `most` @throws CypherError for values that nest too deeply
 */
export function sizeOf(value: Value, most: number): number {
  if (!isList(value) && !isMap(value)) return itemsIn(value, most, 0);
  return 1 + Math.floor(itemsIn(value, most * ITEMS_OF_VALUE, 0) / ITEMS_OF_VALUE);
}

function itemsIn(value: Value, most: number, depth: number): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / CHARACTERS_OF_VALUE);
  const parts = isList(value) ? value : isMap(value) ? Object.values(value) : undefined;
  if (parts === undefined) return 1;
  if (depth >= MAX_DEPTH)
    throw new CypherError('limit', `lists of the answer are nested more than ${MAX_DEPTH} levels deep`);
  let count = 1;
  for (const part of parts) {
    count += itemsIn(part, most - count, depth + 1);
    if (count > most) break;
  }
  return count;
}
