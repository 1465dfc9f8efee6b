/** Files of a disk as bodies: Node only, loaded when one is named. */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { RequestBody } from './body.ts';

export interface OpenedFile {
  readonly name: string;
  readonly path: string;
  readonly body: RequestBody;
  /** The first two bytes. */
  readonly start: Uint8Array;
}

export async function openFile(path: string): Promise<OpenedFile> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(2), 0, 2, 0);
    return { name: basename(path), path, body: await fileBody(path), start: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
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
