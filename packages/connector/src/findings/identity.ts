/** Derives ids from content, so that a repeated delivery can be recognized. */
import { createHash } from 'node:crypto';

/** Namespace of this product, chosen randomly once. */
const NAMESPACE = Buffer.from('7b0f7c54a3d24c1f9a0e2d6c1f35b8e2', 'hex');

/** A UUID of version 5 (RFC 9562, 5.5). */
export function stableUuid(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha1').update(NAMESPACE).update(JSON.stringify(parts)).digest().subarray(0, 16);
  hash[6] = (hash[6] & 0x0f) | 0x50;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export interface NaturalKey {
  readonly environmentId: string;
  readonly zoneId: number;
  readonly findingType: string;
  /** Empty for list findings. */
  readonly sourceId: string;
  readonly targetId: string;
}

/** Digest of the subject of a finding, independent of its number, as 64 hexadecimal digits. */
export function naturalKey({ environmentId, zoneId, findingType, sourceId, targetId }: NaturalKey): string {
  const parts = [environmentId, zoneId, findingType, sourceId, targetId];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
