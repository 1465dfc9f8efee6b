/**
 * Files of ids that the collector found deleted. The reference implementation accepts such a file and then fails; here it is processed, so
 * that deleted accounts do not stay in attack paths.
 */
import type { ObjectFacts } from '@clew/model';
import { member } from '../json/member.ts';
import { isObject, type Json } from '../json/value.ts';
import { type CollectionReader, type ObjectPlace, rejectedObject } from '../reader.ts';

export const deleted: CollectionReader = {
  type: 'deleted',
  format: 'sharphound',
  begin: () => readDeleted,
};

/** An id, or an object with one. */
function readDeleted(json: Json, place: ObjectPlace): ObjectFacts {
  const id = isObject(json) ? member(json, 'ObjectIdentifier') : json;
  if (typeof id !== 'string' || id === '') return rejectedObject(place, 'it has no identifier');
  return { index: place.index, nodes: [], edgeSets: [], deletedIds: [id.toUpperCase()], issues: [] };
}
