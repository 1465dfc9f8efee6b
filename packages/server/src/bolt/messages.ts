/** Messages of clients, with validated members, and of the service. Rule: `docs/bolt.md#protocol`. */
import { chunked } from './chunks.ts';
import type { Version } from './handshake.ts';
import { PackError, unpack } from './packReader.ts';
import { PackWriter } from './packWriter.ts';
import { isPackMap, type PackMap, type PackValue, Structure } from './structure.ts';

const REQUESTS = {
  1: 'HELLO',
  2: 'GOODBYE',
  15: 'RESET',
  16: 'RUN',
  17: 'BEGIN',
  18: 'COMMIT',
  19: 'ROLLBACK',
  47: 'DISCARD',
  63: 'PULL',
  84: 'TELEMETRY',
  102: 'ROUTE',
  106: 'LOGON',
  107: 'LOGOFF',
} as const;

/** The first minor version of version 5 with the message. */
const SINCE: Readonly<Record<string, number>> = { LOGON: 1, LOGOFF: 1, TELEMETRY: 4 };

const ANSWERS = { SUCCESS: 0x70, RECORD: 0x71, IGNORED: 0x7e, FAILURE: 0x7f } as const;

/** The second byte of a message is its tag. */
const TAG_AT = 1;
const RESET = 0x0f;

export type Request =
  | { readonly type: 'HELLO' | 'LOGON' | 'BEGIN'; readonly extra: PackMap }
  | { readonly type: 'RUN'; readonly text: string; readonly parameters: PackMap; readonly extra: PackMap }
  /** Default for `max`: all rows; for `result`: the newest one. */
  | { readonly type: 'PULL' | 'DISCARD'; readonly max?: number; readonly result?: number }
  | { readonly type: 'ROUTE'; readonly routing: PackMap; readonly extra: PackMap }
  | { readonly type: 'GOODBYE' | 'RESET' | 'COMMIT' | 'ROLLBACK' | 'LOGOFF' | 'TELEMETRY' };

/** Whether a message is RESET, which is checked on arrival: it ends the work of earlier messages. */
export const isReset = (message: Buffer): boolean => message[TAG_AT] === RESET;

/** @throws PackError for bytes that are not a message of the version */
export function readRequest(message: Buffer, { major, minor }: Version): Request {
  const value = unpack(message);
  if (!(value instanceof Structure)) throw new PackError('a message is not a structure');
  const type = REQUESTS[value.tag as keyof typeof REQUESTS];
  const since = SINCE[type] ?? 0;
  if (type === undefined || (since > 0 && (major < 5 || minor < since)))
    throw new PackError(`version ${major}.${minor} has no message with the tag ${value.tag}`);
  const { fields } = value;
  switch (type) {
    case 'HELLO':
    case 'LOGON':
    case 'BEGIN':
      return { type, extra: mapIn(type, fields[0]) };
    case 'RUN': {
      const [text] = fields;
      if (typeof text !== 'string') throw new PackError('RUN has no query');
      return { type, text, parameters: mapIn(type, fields[1]), extra: mapIn(type, fields[2]) };
    }
    case 'PULL':
    case 'DISCARD':
      return { type, ...countsIn(type, mapIn(type, fields[0])) };
    case 'ROUTE':
      return { type, routing: mapIn(type, fields[0]), extra: mapIn(type, fields[2]) };
    default:
      return { type };
  }
}

function mapIn(type: string, value: PackValue | undefined): PackMap {
  if (value === undefined || value === null) return {};
  if (!isPackMap(value)) throw new PackError(`a field of ${type} is not a map`);
  return value;
}

function countsIn(type: string, { n = -1, qid = -1 }: PackMap): { max?: number; result?: number } {
  if (typeof n !== 'number' || n < -1 || n === 0) throw new PackError(`n of ${type} is not a number of rows`);
  if (typeof qid !== 'number' || qid < -1)
    throw new PackError(`qid of ${type} is not the number of a result`);
  return { ...(n > 0 && { max: n }), ...(qid >= 0 && { result: qid }) };
}

/** @returns the bytes of an answer on the wire */
export function answerBytes(type: keyof typeof ANSWERS, ...fields: readonly PackValue[]): Buffer {
  const writer = new PackWriter();
  writer.structure(ANSWERS[type], fields);
  return chunked(writer.written);
}
