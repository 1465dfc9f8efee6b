/** Random access to the bytes of an archive. */
import { type FileHandle, open } from 'node:fs/promises';
import { DamagedSourceError } from '../source.ts';

export interface ByteReader {
  readonly size: number;
  /** @returns exactly `length` bytes from `offset` on, all inside the archive */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

export async function fileReader(path: string): Promise<ByteReader> {
  const file: FileHandle = await open(path, 'r');
  const { size } = await file.stat();
  return {
    size,
    read: async (offset, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    },
    close: () => file.close(),
  };
}

/** @throws DamagedSourceError if the range is not inside the archive, or its end cannot be read */
export async function readExactly(reader: ByteReader, offset: number, length: number): Promise<Buffer> {
  if (offset + length > reader.size) throw new DamagedSourceError('the archive ends too early');
  const bytes = await reader.read(offset, length);
  if (bytes.length !== length) throw new DamagedSourceError('the archive ends too early');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

const READ_BYTES = 256 * 1024;

/** A range of the archive as a stream of chunks. */
export async function* readRange(reader: ByteReader, start: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += READ_BYTES) {
    yield await readExactly(reader, start + at, Math.min(READ_BYTES, length - at));
  }
}
