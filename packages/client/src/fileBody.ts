/** Files on disk as bodies; only for Node, and loaded when a path is given. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { RequestBody } from './body.ts';

export interface OpenedFile {
  readonly name: string;
  readonly path: string;
  readonly body: RequestBody;
  /** The first two bytes of the body. */
  readonly start: Uint8Array;
  /** Creates a smaller body of a large file right before it is sent. */
  compress?(): Promise<CompressedFile>;
}

export interface CompressedFile {
  /** The body compressed with gzip. */
  readonly body: RequestBody;
  /** Removes the temporary file of the body. */
  close(): Promise<void>;
}

/** Smaller files are sent unchanged. Signed bodies have a limit of 256 MiB; JSON of collectors shrinks to a tenth or less. */
const MIN_COMPRESSED_BYTES = 8 * 1024 * 1024;

/** Archives and compressed files, which would not shrink. */
const isCompressed = ([first, second]: Uint8Array): boolean =>
  (first === 0x50 && second === 0x4b) || (first === 0x1f && second === 0x8b);

export async function openFile(path: string): Promise<OpenedFile> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(2), 0, 2, 0);
    const start = buffer.subarray(0, bytesRead);
    const body = await fileBody(path);
    if (isCompressed(start) || body.size < MIN_COMPRESSED_BYTES)
      return { name: basename(path), path, body, start };
    return { name: basename(path), path, body, start, compress: () => compressed(path) };
  } finally {
    await file.close();
  }
}

/** Its size and digest are needed before it is sent, and it may be sent again, so it is first written to a file. */
async function compressed(path: string): Promise<CompressedFile> {
  const directory = await mkdtemp(join(tmpdir(), 'clew-upload-'));
  const close = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const target = join(directory, 'body.gz');
    await pipeline(
      createReadStream(path, { highWaterMark: 256 * 1024 }),
      createGzip({ level: 1 }),
      createWriteStream(target, { mode: 0o600 }),
    );
    return { body: await fileBody(target), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A file that is read from disk each time, so that its size does not matter. */
export async function fileBody(path: string): Promise<RequestBody> {
  const { size } = await stat(path);
  return {
    size,
    // Up to the current size: if the file grows, the additional bytes are not signed.
    chunks: () => createReadStream(path, { end: Math.max(size - 1, 0), highWaterMark: 256 * 1024 }),
  };
}
