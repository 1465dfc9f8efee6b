/** Answers that clients save as files. No client may guess a type and show the file. */
import { Readable } from 'node:stream';
import type { TextStream } from './jsonStream.ts';

interface AnsweredFile {
  readonly name: string;
  /** Default: bytes of any type. */
  readonly mediaType?: string;
  /** The whole file, or a stream of `size` bytes. */
  readonly content: Buffer | { readonly stream: Readable; readonly size: number };
}

export function fileAnswer({ name, mediaType = 'application/octet-stream', content }: AnsweredFile) {
  const { stream, size } = Buffer.isBuffer(content)
    ? { stream: Readable.from([content]), size: content.length }
    : content;
  return {
    status: 200 as const,
    // Bytes; the declared type of streams other than JSON.
    stream: stream as unknown as TextStream,
    mediaType,
    headers: { 'content-disposition': dispositionOf(name), 'content-length': String(size) },
  };
}

/** @returns the header that makes each client save the answer as a file of this name (RFC 6266) */
export function dispositionOf(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  if (ascii === name) return `attachment; filename="${ascii}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
