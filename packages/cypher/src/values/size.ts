/** How much of an answer values are: each counts with all that it contains, repetitions included. */
import { CypherError } from '../cypherError.ts';
import { isList, isMap, type Value } from './values.ts';

/** Characters that count as one more value. */
const CHARACTERS_OF_VALUE = 1024;
/** Items of lists and maps that count as one more value: a path's relationships are no more to show than their path. */
const ITEMS_OF_VALUE = 8;
/** Lists and maps within each other. */
const MAX_DEPTH = 100;

/**
 * @param most counting stops there
 * @returns the count, or any number above `most` @throws CypherError for values that nest too deeply
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
