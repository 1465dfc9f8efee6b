/** Request bodies that can be read more than once: to sign, to send, and to send again. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

export interface RequestBody {
  /** Bytes. */
  readonly size: number;
  chunks(): AsyncIterable<Uint8Array>;
  /** The body in one piece, when it is in memory anyway. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

export function jsonBody(value: unknown): RequestBody {
  return bytesBody(new TextEncoder().encode(JSON.stringify(value)));
}

export function bytesBody(bytes: Uint8Array<ArrayBuffer>): RequestBody {
  return {
    size: bytes.length,
    bytes,
    async *chunks() {
      yield bytes;
    },
  };
}

/** A form in one piece, with the header that names its boundary. */
export async function formBody(
  form: FormData,
): Promise<{ readonly body: RequestBody; readonly headers: Readonly<Record<string, string>> }> {
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? 'multipart/form-data';
  return {
    body: bytesBody(new Uint8Array(await encoded.arrayBuffer())),
    headers: { 'content-type': contentType },
  };
}

/** A file, read from the disk each time, so that its size does not matter. */
export async function fileBody(path: string): Promise<RequestBody> {
  const { size } = await stat(path);
  return {
    size,
    // Up to the size seen now: a file that grows meanwhile must not outgrow its signature.
    chunks: () => createReadStream(path, { end: Math.max(size - 1, 0), highWaterMark: 256 * 1024 }),
  };
}
