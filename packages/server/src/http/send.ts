/** Writes an answer: headers, body, compression. */

import { pipeline, type Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { AnyAnswer } from '@clew/common';
import type { FastifyReply } from 'fastify';
import { acceptsGzip, COMPRESS_FROM_BYTES, compress } from './encodings.ts';

export interface SendOptions {
  readonly acceptEncoding: string | undefined;
  /** Headers of every answer; those of the answer itself take precedence. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Files that are compressed already, whose length is known, and events, which a compressor would hold back. */
const STAYS_AS_IT_IS = /^(?:application\/(?:zip|octet-stream)|text\/event-stream)$/;

export async function sendAnswer(
  reply: FastifyReply,
  answer: AnyAnswer,
  options: SendOptions,
): Promise<void> {
  reply.code(answer.status).headers({ ...options.headers, ...answer.headers });
  const gzipped =
    acceptsGzip(options.acceptEncoding) &&
    answer.headers?.['Content-Encoding'] === undefined &&
    !('mediaType' in answer && STAYS_AS_IT_IS.test(answer.mediaType));
  if ('stream' in answer) {
    reply.type(answer.mediaType);
    if (gzipped) markCompressed(reply);
    await reply.send(gzipped ? compressStream(answer.stream) : answer.stream);
    return;
  }
  const body = bodyOf(answer);
  if (body === undefined) {
    await reply.send();
    return;
  }
  reply.type(body.mediaType);
  if (!gzipped || body.bytes.length < COMPRESS_FROM_BYTES) {
    vary(reply, 'Accept-Encoding');
    await reply.send(body.bytes);
    return;
  }
  markCompressed(reply);
  await reply.send(await compress(body.bytes));
}

/** Ends with the error of the source: the connection breaks, so that a partial answer does not look complete. */
function compressStream(source: Readable): Readable {
  return pipeline(source, createGzip(), () => {});
}

function bodyOf(answer: AnyAnswer): { readonly bytes: Buffer; readonly mediaType: string } | undefined {
  if ('json' in answer)
    return { bytes: Buffer.from(JSON.stringify(answer.json)), mediaType: 'application/json' };
  if ('text' in answer) return { bytes: Buffer.from(answer.text), mediaType: answer.mediaType };
  return undefined;
}

function markCompressed(reply: FastifyReply): void {
  reply.header('Content-Encoding', 'gzip');
  vary(reply, 'Accept-Encoding');
}

function vary(reply: FastifyReply, name: string): void {
  const present = reply.getHeader('Vary');
  reply.header('Vary', present === undefined ? name : `${present}, ${name}`);
}
