/** Parses the query string, JSON bodies and forms of a request. */

import { ApiError, apiError, measureJson } from '@clew/common';
import { jsonFault, parseJson as parseExactly } from '@clew/model';

/**
 * Decodes a query strictly: invalid encodings are refused.
 * @param target request target, possibly with a query
 * @throws ApiError 400
 */
export function parseQuery(target: string): URLSearchParams {
  const start = target.indexOf('?');
  const parameters = new URLSearchParams();
  if (start < 0) return parameters;
  const [query] = target.slice(start + 1).split('#', 1);
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    parameters.append(name, equals < 0 ? '' : decode(part.slice(equals + 1)));
  }
  return parameters;
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw apiError('malformedRequest', { reason: 'the query is not correctly percent-encoded' });
  }
  // No valid value contains it, and the database refuses it.
  if (decoded.includes('\0'))
    throw apiError('malformedRequest', { reason: 'the query contains a NUL character' });
  return decoded;
}

/** Media type of a `Content-Type` header, lower case, without parameters. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0].trim().toLowerCase();
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** No body of the API is nested deeper, and `JSON.parse` takes seconds for megabytes of brackets. */
const MAX_DEPTH = 64;
/** Lists in bodies have up to ten thousand objects. Parsing and checking this many values takes about 50 ms. */
const MAX_VALUES = 50_000;

/**
 * @param bytes UTF-8, with or without a byte order mark
 * @throws ApiError 400 `malformedJson`; `invalidBody` for content that no body may have: NUL characters, lone surrogates, too deep nesting
 */
export function parseJson(bytes: Buffer): unknown {
  const { depth, values } = measureJson(bytes);
  if (depth > MAX_DEPTH) throw apiError('invalidBody', { reason: 'it is nested too deeply' });
  if (values > MAX_VALUES) throw apiError('invalidBody', { reason: `it has more than ${MAX_VALUES} values` });
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8');
  }
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch (error) {
    throw malformed(jsonFault(text, error));
  }
  // The database refuses both; in JSON they can only be written with escapes.
  if (text.includes('\\u')) {
    if (someText(value, (one) => one.includes('\0')))
      throw apiError('invalidBody', { reason: 'a text contains a NUL character' });
    if (someText(value, (one) => !one.isWellFormed()))
      throw apiError('invalidBody', { reason: 'a text contains a lone surrogate' });
  }
  return value;
}

/** @param reason a second message, because clients know the first one */
const malformed = (reason: string): ApiError =>
  new ApiError('malformedJson', apiError('malformedJson').message, { details: [reason] });

function someText(value: unknown, fits: (text: string) => boolean): boolean {
  if (typeof value === 'string') return fits(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => fits(key) || someText(item, fits));
}

/** Fields of a form; files as the platform's `File`. */
export type Form = FormData;

/** @throws ApiError 400 if the body is not a form of this type */
export async function parseForm(bytes: Buffer, contentType: string): Promise<Form> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw apiError('invalidBody', { reason: 'the form cannot be read' });
  }
}
