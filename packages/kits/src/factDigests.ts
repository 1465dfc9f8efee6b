/**
 * Digests of the facts that a change ends. Scripts, transcripts and backups carry them instead of ids and names, and the service
 * recognizes the changes of a started plan by them, whatever kit and order they come from.
 */
import { createHash } from 'node:crypto';
import type { KitFacts } from '@clew/planning';

/** Hexadecimal characters: enough for the facts of a plan. */
export const DIGEST_LENGTH = 16;

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value), 'utf8').digest('hex').slice(0, DIGEST_LENGTH);

export const relationDigest = (start: string, kind: string, end: string): string =>
  digestOf(['relation', kind, start, end]);
export const propertyDigest = (objectId: string, property: string): string =>
  digestOf(['property', property, objectId]);
export const valueDigest = (value: unknown): string => digestOf(['value', value ?? null]);

/** Maximum number of facts in a script: one suffices to recognize a change. */
export const MAX_DIGESTS = 100;

/** @returns digests of relationships, and of properties with their collected values after a colon */
export const digestsOf = ({ removed, values }: Pick<KitFacts, 'removed' | 'values'>): string[] =>
  [
    ...removed.map(({ source, relation, target }) =>
      relationDigest(source.objectId, relation, target.objectId),
    ),
    ...values.map(
      ({ object, property, now }) => `${propertyDigest(object.objectId, property)}:${valueDigest(now)}`,
    ),
  ].slice(0, MAX_DIGESTS);
