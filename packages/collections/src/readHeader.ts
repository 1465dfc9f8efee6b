/**
 * Reads the header of a collection file.
 *
 * Rules: `docs/reference/collections.md#files`.
 */
import { BadFileError } from './badFileError.ts';
import { fileFault } from './fileFault.ts';
import { type CollectionHeader, OPENGRAPH_HEADER } from './header.ts';
import { member } from './json/member.ts';
import { isObject, type Json } from './json/value.ts';
import { findReader } from './readers.ts';

const KNOWN_MEMBERS: ReadonlySet<string> = new Set(['source_kind', 'case_sensitive_ids']);

/** @throws BadFileError if the value is not an OpenGraph `metadata` */
export function readMetadata(metadata: Json, offset?: number): CollectionHeader {
  if (metadata === null) return OPENGRAPH_HEADER;
  if (!isObject(metadata))
    throw new BadFileError(fileFault('invalid-metadata', 'it is not an object', offset));
  // Additional members from a newer collector or a user do no harm.
  const unknown = Object.keys(metadata).filter((key) => !KNOWN_MEMBERS.has(key));
  const keepsCase = metadata.case_sensitive_ids ?? undefined;
  if (keepsCase !== undefined && typeof keepsCase !== 'boolean') {
    const detail = 'case_sensitive_ids is neither true nor false';
    throw new BadFileError(fileFault('invalid-metadata', detail, offset));
  }
  const header: CollectionHeader = {
    ...OPENGRAPH_HEADER,
    ...(unknown.length > 0 && { unknownMembers: unknown.map(shortName) }),
    ...(keepsCase !== undefined && { keepsCase }),
  };
  const sourceKind = metadata.source_kind ?? null;
  if (sourceKind === null) return header;
  if (typeof sourceKind !== 'string' || sourceKind === '' || sourceKind.length > 256) {
    throw new BadFileError(fileFault('invalid-metadata', 'source_kind is not a short text', offset));
  }
  // A source kind is a node kind, with the same reserved names.
  if (/^tag(?:_|$)/i.test(sourceKind)) {
    const detail = 'source_kind must not begin with Tag_, which is reserved';
    throw new BadFileError(fileFault('invalid-metadata', detail, offset));
  }
  return { ...header, sourceKind };
}

/**
 * @param text JSON text with `meta`, for digits beyond the precision of a number
 * @throws BadFileError if the value is not a `meta` of a known type
 */
export function readMeta(meta: Json, text: string, offset?: number): CollectionHeader {
  const type = isObject(meta) ? member(meta, 'type') : undefined;
  if (!isObject(meta) || typeof type !== 'string') {
    throw new BadFileError(fileFault('no-meta', 'meta does not specify a data type', offset));
  }
  const reader = findReader(type);
  if (reader === undefined) {
    throw new BadFileError(fileFault('unknown-type', JSON.stringify(type.slice(0, 64)), offset));
  }
  return {
    format: reader.format,
    type,
    version: wholeNumber(member(meta, 'version')),
    methods: methodMask(member(meta, 'methods'), text),
    collectorVersion: shortText(member(meta, 'collectorversion')),
  };
}

/** Collectors name a file by the time and the type of its objects: `20240305110018_users.json`. */
export function headerFromName(name: string): CollectionHeader | undefined {
  const type = /(?:^|[_\-./\\])([a-z]+)\.json$/i.exec(name)?.[1]?.toLowerCase();
  const reader = type === undefined ? undefined : findReader(type);
  return reader && { format: reader.format, type, assumed: true };
}

const MAX_UNKNOWN_NAME = 64;

const shortName = (name: string): string => JSON.stringify(name.slice(0, MAX_UNKNOWN_NAME));

function wholeNumber(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

/** The mask has 64 bits, more than a JavaScript number holds: larger values are read from the text. */
function methodMask(value: Json | undefined, text: string): bigint | undefined {
  const number = wholeNumber(value);
  if (number !== undefined) return BigInt.asUintN(64, BigInt(number));
  const digits = /"methods"\s*:\s*"?(-?\d{1,20})\b/i.exec(text)?.[1];
  return digits === undefined ? undefined : BigInt.asUintN(64, BigInt(digits));
}

function shortText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 64) : undefined;
}
