/**
 * Content codings in both directions: decoding request bodies, and choosing the coding of an answer. Rule:
 * `docs/reference/api.md#encodings`.
 */
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, createInflate, gzip } from 'node:zlib';
import { acceptsCoding, apiError, codingWeights } from '@clew/common';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
};

/**
 * @param header `Content-Encoding`
 * @param onRefusal called before the error is thrown
 * @returns the name of the coding to decode, if any
 * @throws ApiError 415 for an unknown one, and for several: nested codings only serve to exhaust memory
 */
export function parseEncoding(header: string | undefined, onRefusal: () => void): string | undefined {
  const names = (header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const unknown =
    names.find((name) => !Object.hasOwn(DECODERS, name)) ?? (names.length > 1 ? names.join(', ') : undefined);
  if (unknown !== undefined) {
    onRefusal();
    throw apiError('unsupportedEncoding', { encoding: unknown });
  }
  return names[0];
}

/** @param name as returned by `parseEncoding` */
export function createDecoder(name: string): Transform {
  return DECODERS[name]();
}

/** @param header `Accept-Encoding` */
export const acceptsGzip = (header: string | undefined): boolean =>
  acceptsCoding(codingWeights(header), 'gzip', 'x-gzip');

/** Smaller answers fit into one packet. */
export const COMPRESS_FROM_BYTES = 1024;

const gzipAsync = promisify(gzip);

/** Favors speed, because most answers travel a short distance. */
export function compress(body: Buffer): Promise<Buffer> {
  return gzipAsync(body, { level: 4 });
}
