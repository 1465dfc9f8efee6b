/**
 * Grams: sequences of one, two or three bytes, used to find texts that contain another one. Bytes are first mapped to 64 classes, so that a
 * gram is a small number; bytes may share a class, because every hit is compared with the text.
 */

export const CLASS_BITS = 6;
export const MAX_GRAM = 3;

/** Letters, digits and some other characters of directory names and ids have their own classes. */
const SIGNS = "-@._ $(){}/\\,=&'+:";
const FIRST_SIGN = 37;
const OTHER_ASCII = FIRST_SIGN + SIGNS.length;
const FIRST_HIGH = OTHER_ASCII + 1;

/** Class of each byte, case-insensitive. */
export const CLASS_OF_BYTE: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return FIRST_HIGH + (byte % (64 - FIRST_HIGH));
  const sign = String.fromCharCode(byte).toUpperCase();
  if (sign >= 'A' && sign <= 'Z') return sign.charCodeAt(0) - 64;
  if (sign >= '0' && sign <= '9') return sign.charCodeAt(0) - 21;
  const place = SIGNS.indexOf(sign);
  return place < 0 ? OTHER_ASCII : FIRST_SIGN + place;
});

/** @returns the number of grams of this length in bytes */
export function gramCount(length: number): number {
  return 1 << (CLASS_BITS * length);
}

/** @returns the distinct grams of a text, of the longest possible length */
export function gramsOf(utf8: Uint8Array): { readonly length: number; readonly grams: readonly number[] } {
  const length = Math.min(utf8.length, MAX_GRAM);
  const grams = new Set<number>();
  for (let at = 0; at + length <= utf8.length; at++) {
    let gram = 0;
    for (let offset = 0; offset < length; offset++) {
      gram = (gram << CLASS_BITS) | CLASS_OF_BYTE[utf8[at + offset]];
    }
    grams.add(gram);
  }
  return { length, grams: [...grams] };
}
