/**
 * The signature of a request: a chain of three HMAC-SHA-256 digests, each keyed by the previous one. Rule:
 * `docs/reference/api.md#signed-requests`.
 */
import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE_BYTES = 32;
const BASE64_SIGNATURE = /^[A-Za-z0-9+/]{43}=$/;
const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
/** `2024-05-01T10`: up to and including the hour. */
const HOUR_PREFIX_LENGTH = 13;

export interface RequestDate {
  /** Milliseconds since the epoch. */
  readonly instant: number;
  /** The signed part of the text, in the client's own offset. */
  readonly hour: string;
}

/**
 * Parses a `RequestDate`: RFC 3339 with any offset and at most nine fractional digits.
 * @returns `undefined` for any other text, including nonexistent days and hours
 */
export function parseRequestDate(text: string): RequestDate | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as number[];
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  // RFC 3339 permits a leap second; it counts as the first second of the next minute.
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * (match[8] === '-' ? -1 : 1);
  const milliseconds = Math.floor(Number(`0.${match[7] ?? 0}`) * 1000);
  return {
    instant: midnight.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds,
    hour: text.slice(0, HOUR_PREFIX_LENGTH),
  };
}

/** Parses a `Signature` header: standard base64 with padding. @returns its 32 bytes, or `undefined` */
export function parseSignature(text: string): Buffer | undefined {
  return BASE64_SIGNATURE.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/**
 * The first two links of the chain, and the third one, which still needs the body.
 * @param key the token key as text, not its decoded bytes
 * @param rawTarget path and query as in the request line, one character per byte
 */
export function beginSignature(key: string, method: string, rawTarget: string, hour: string): Hmac {
  const operation = createHmac('sha256', key).update(method).update(rawTarget, 'latin1').digest();
  const dated = createHmac('sha256', operation).update(hour).digest();
  return createHmac('sha256', dated);
}

/** Compares in constant time. */
export function signatureFits(chain: Hmac, claimed: Buffer): boolean {
  return claimed.length === SIGNATURE_BYTES && timingSafeEqual(chain.digest(), claimed);
}
