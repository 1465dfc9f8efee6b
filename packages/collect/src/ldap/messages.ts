/** LDAP messages (RFC 4511): their length in a stream, search entries, and the few requests of the collector. */
import { BER_TAG, BerError, type BerReader } from '../ber/reader.ts';
import { berBoolean, berInteger, berOctets, berSequence, berValue } from '../ber/writer.ts';
import { encodeFilter } from './filter.ts';

/** Names in lower case; values are byte views of the message. */
export type Attributes = ReadonlyMap<string, readonly Buffer[]>;

export interface Entry {
  /** The name from the controller, with its extended parts if requested. */
  readonly dn: string;
  readonly attributes: Attributes;
}

/** The parts of a search request. */
export interface SearchRequest {
  readonly base: string;
  /** Default: the base and everything under it. */
  readonly scope?: 'base' | 'one' | 'sub';
  /** Default: every object. */
  readonly filter?: string;
  readonly attributes: readonly string[];
}

export const TAG = {
  bind: 0x60,
  unbind: 0x42,
  search: 0x63,
  entry: 0x64,
  searchDone: 0x65,
  reference: 0x73,
  extended: 0x77,
  controls: 0xa0,
} as const;

/** Maximum length of a message: controllers without ranges return all members of a group in one. */
export const MAX_MESSAGE_BYTES = 48 * 2 ** 20;
/** Maximum number of values in an entry, to limit memory. A Samba group has all its members in one entry. */
export const MAX_VALUES = 250_000;
const MAX_ATTRIBUTES = 2_000;

/** The length of the message at `at`: the `MessageLength` of LDAP. */
export function messageLength(bytes: Buffer, at: number): number | undefined {
  if (at + 2 > bytes.length) return undefined;
  if (bytes[at] !== BER_TAG.sequence) throw new BerError('the server does not speak LDAP');
  const first = bytes[at + 1];
  if (first < 0x80) return 2 + first;
  const count = first & 0x7f;
  if (count === 0 || count > 4) throw new BerError('a message has no definite length');
  if (at + 2 + count > bytes.length) return undefined;
  const length = bytes.readUIntBE(at + 2, count);
  if (length > MAX_MESSAGE_BYTES)
    throw new BerError(`a message has ${length} bytes; the limit is ${MAX_MESSAGE_BYTES}`);
  return 2 + count + length;
}

export function readEntry(body: BerReader): Entry {
  const dn = body.text();
  const attributes = new Map<string, Buffer[]>();
  const list = body.enter(BER_TAG.sequence);
  let values = 0;
  while (list.hasMore) {
    const attribute = list.enter(BER_TAG.sequence);
    const name = attribute.text().toLowerCase();
    const found: Buffer[] = [];
    const set = attribute.enter(BER_TAG.set);
    while (set.hasMore) {
      values += 1;
      if (values > MAX_VALUES) throw new BerError(`an entry has more than ${MAX_VALUES} values`);
      found.push(set.octets());
    }
    attributes.set(name, found);
    if (attributes.size > MAX_ATTRIBUTES)
      throw new BerError(`an entry has more than ${MAX_ATTRIBUTES} attributes`);
  }
  return { dn, attributes };
}

const SCOPES = { base: 0, one: 1, sub: 2 } as const;

export function searchRequest(search: SearchRequest): Buffer {
  const { base, scope = 'sub', filter = '(objectClass=*)', attributes } = search;
  return berValue(
    TAG.search,
    berOctets(base),
    berInteger(SCOPES[scope], BER_TAG.enumerated),
    // Aliases are not followed, and the controller's limits apply.
    berInteger(0, BER_TAG.enumerated),
    berInteger(0),
    berInteger(0),
    berBoolean(false),
    encodeFilter(filter),
    berSequence(...attributes.map(berOctets)),
  );
}

export const simpleBindRequest = (name: string, password: string): Buffer =>
  berValue(TAG.bind, berInteger(3), berOctets(name), berValue(0x80, password));

export const saslBindRequest = (mechanism: string, token: Buffer): Buffer =>
  berValue(TAG.bind, berInteger(3), berOctets(''), berValue(0xa3, berOctets(mechanism), berOctets(token)));

/** @param body the result of a bind after its code @returns the token of the server, if it sent one */
export function serverToken(body: BerReader): Buffer | undefined {
  body.enter();
  body.enter();
  while (body.hasMore) {
    if (body.peek() === 0x87) return Buffer.from(body.octets(0x87));
    body.enter();
  }
  return undefined;
}

const START_TLS = '1.3.6.1.4.1.1466.20037';
export const startTlsRequest = (): Buffer => berValue(TAG.extended, berValue(0x80, START_TLS));

export const unbindRequest = (): Buffer => Buffer.from([TAG.unbind, 0]);
