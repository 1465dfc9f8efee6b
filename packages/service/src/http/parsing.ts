/** From bytes and texts of a request to values: the query string, JSON bodies, forms. */
import { apiError } from './apiError.ts';

/**
 * Decodes a query strictly: what cannot be decoded is refused, not guessed at.
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
  // No name or value of the field holds one, and the database refuses it.
  if (decoded.includes('\0'))
    throw apiError('malformedRequest', { reason: 'the query holds a NUL character' });
  return decoded;
}

/** Media type of a `Content-Type` header, lower case, without parameters. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0].trim().toLowerCase();
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * @param bytes UTF-8, with or without a byte order mark
 * @throws ApiError 400 `malformedJson`, or `invalidBody` for a NUL character, which no text may hold
 */
export function parseJson(bytes: Buffer): unknown {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw apiError('malformedJson');
  }
  if (text.includes('\\u0000') && holdsNul(value))
    throw apiError('invalidBody', { reason: 'a text holds a NUL character' });
  return value;
}

/** Keeps its own stack: a body may be nested as deep as it is long. */
function holdsNul(value: unknown): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const item = left.pop();
    if (typeof item === 'string' && item.includes('\0')) return true;
    if (typeof item !== 'object' || item === null) continue;
    if (Object.keys(item).some((key) => key.includes('\0'))) return true;
    left.push(...Object.values(item));
  }
  return false;
}

/** Fields of a form; files as the platform's `File`. */
export type Form = FormData;

/** @throws ApiError 400 when the body is no form of that type */
export async function parseForm(bytes: Buffer, contentType: string): Promise<Form> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw apiError('invalidBody', { reason: 'the form cannot be read' });
  }
}
