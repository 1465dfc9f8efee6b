/**
 * Counts the values in a JSON text before it is parsed: a member of four letters takes fifty bytes of memory, and parsing an object with
 * millions of them takes many seconds.
 */

export interface ValueCountLimits {
  /** Maximum number of values in total. */
  readonly maxValues: number;
  /** Maximum number of members in one object. */
  readonly maxMembers: number;
  readonly maxDepth: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** @param bytes one value, balanced and within the depth limit */
export function hasTooManyValues(bytes: Uint8Array, limits: ValueCountLimits): boolean {
  const { maxValues, maxMembers, maxDepth } = limits;
  // A member has at least five bytes, any other value two.
  if (bytes.length < 4 * Math.min(maxMembers, maxValues / 2)) return false;
  const members = new Uint32Array(maxDepth + 1);
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (byte === COMMA) {
      if (++values > maxValues) return true;
    } else if (byte === COLON) {
      members[depth]++;
      if ((members[depth] as number) > maxMembers) return true;
    } else if ((byte | 0x20) === 0x7b) members[++depth] = 0;
    else if ((byte | 0x20) === 0x7d) depth--;
  }
  return false;
}

/** @returns index of the closing quotation mark */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
