/**
 * Content codings, both ways: undoing those of a request body, choosing the one of an answer.
 * Rule: `docs/reference/api.md#encodings`.
 */
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, createInflate, gzip } from 'node:zlib';
import { apiError } from '../operation/apiError.ts';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
};

/** More than this only serves to exhaust memory. */
const MAX_ENCODINGS = 3;

/**
 * @param header `Content-Encoding`, codings in the order in which they were applied
 * @returns names of codings in the order in which they are to be undone
 * @throws ApiError 415 for an unknown one
 */
export function parseEncodings(header: string | undefined): readonly string[] {
  const names = (header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const unknown =
    names.find((name) => !Object.hasOwn(DECODERS, name)) ??
    (names.length > MAX_ENCODINGS ? names.join(', ') : undefined);
  if (unknown !== undefined) throw apiError('unsupportedEncoding', { encoding: unknown });
  return names.toReversed();
}

/** @param name as returned by `parseEncodings` */
export function createDecoder(name: string): Transform {
  return DECODERS[name]();
}

/** @returns whether `Accept-Encoding` takes gzip, with a weight above 0 (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  let weight = 0;
  for (const part of (header ?? '').split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (name !== 'gzip' && name !== 'x-gzip' && name !== '*') continue;
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const partWeight = q === undefined ? 1 : Number(q.slice(q.indexOf('=') + 1));
    if (name !== '*') return partWeight > 0;
    weight = partWeight;
  }
  return weight > 0;
}

/** Smaller answers fit into one packet anyway. */
export const COMPRESS_FROM_BYTES = 1024;

const gzipAsync = promisify(gzip);

/** Favours speed: most answers travel a short way. */
export function compress(body: Buffer): Promise<Buffer> {
  return gzipAsync(body, { level: 4 });
}
