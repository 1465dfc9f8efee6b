/** Converts values from a file to JSON for the database. Repairs are reported with their position. */
import type { Properties } from '@clew/model';
import { storableJson } from '@clew/store';
import type { Place } from './fileScope.ts';

export function placedJson(place: Place, properties: Properties): string {
  const { json, repaired } = storableJson(properties);
  if (repaired) place.repair('NUL characters or lone surrogates were replaced by U+FFFD');
  return json;
}
