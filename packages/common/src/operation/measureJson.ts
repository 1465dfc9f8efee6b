/** The size of JSON before it is parsed: parsing megabytes of brackets takes seconds. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * @returns the nesting depth of objects and arrays, and the number of values; for text that is not JSON, at least for the part that a
 *   parser would reach
 */
export function measureJson(bytes: Uint8Array): { readonly depth: number; readonly values: number } {
  let depth = 0;
  let values = 1;
  let deepest = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
        break;
      case 0x5b:
      case 0x7b:
        deepest = Math.max(deepest, ++depth);
        break;
      case 0x2c:
        values++;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
    }
  }
  return { depth: deepest, values };
}
