/** The members that the directory at the end of a zip archive lists. */
import { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader } from 'yauzl';
import { DamagedSourceError } from '../source.ts';
import { type ByteReader, readRange } from './byteReader.ts';

/** A member as described in the archive, unchecked. */
export interface ListedMember {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly compressedSize: number;
  /** Unknown if the directory is lost and the archive does not contain it. */
  readonly size?: number;
  readonly crc32?: number;
  /** Offset of the member's local header. */
  readonly headerOffset: number;
  /** Offset of its first byte. */
  readonly start: () => Promise<number>;
}

export class TooManyMembersError extends Error {
  override readonly name = 'TooManyMembersError';
}

/** @throws DamagedSourceError if there is no valid directory; TooManyMembersError; the errors of the reader */
export async function listDirectory(reader: ByteReader, maxEntries: number): Promise<ListedMember[]> {
  const adapter = new ReaderAdapter(reader);
  const members: ListedMember[] = [];
  try {
    // Names and sizes are checked elsewhere: an invalid one must not fail the whole archive.
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false };
    const zip = await fromRandomAccessReaderPromise(adapter, reader.size, options);
    if (zip.entryCount > maxEntries) throw new TooManyMembersError();
    for await (const entry of zip.eachEntry()) {
      const start = async (): Promise<number> => {
        try {
          return (await zip.readLocalFileHeaderPromise(entry, { minimal: true })).fileDataStart;
        } catch (error) {
          throw adapter.reason(error);
        }
      };
      members.push(listedMember(entry, start));
    }
  } catch (error) {
    throw error instanceof TooManyMembersError ? error : adapter.reason(error);
  }
  return members;
}

function listedMember(entry: Entry, start: () => Promise<number>): ListedMember {
  return {
    name: getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false),
    method: entry.compressionMethod,
    isEncrypted: entry.isEncrypted(),
    compressedSize: entry.compressedSize,
    size: entry.uncompressedSize,
    crc32: entry.crc32,
    headerOffset: entry.relativeOffsetOfLocalHeader,
    start,
  };
}

/** Allows the zip library to read from a ByteReader, and distinguishes its errors from those of the reader. */
class ReaderAdapter extends RandomAccessReader {
  readonly #reader: ByteReader;
  #failure: { readonly error: unknown } | undefined;

  constructor(reader: ByteReader) {
    super();
    this.#reader = reader;
  }

  /** @returns the reader's error if there is one, or the library's */
  reason(error: unknown): unknown {
    if (this.#failure !== undefined) return this.#failure.error;
    return new DamagedSourceError(error instanceof Error ? error.message : String(error));
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(readRange(this.#reader, start, end - start));
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#reader.read(position, length).then(
      (bytes) => {
        buffer.set(bytes, offset);
        callback(bytes.length < length ? new Error('the archive ends too early') : null);
      },
      (error) => {
        this.#failure = { error };
        callback(error);
      },
    );
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }
}
