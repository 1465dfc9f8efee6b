/** The members that the directory at the end of a zip archive lists. */
import { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader } from 'yauzl';
import { DamagedSourceError } from '../source.ts';
import { type ByteReader, readRange } from './byteReader.ts';

/** One member as the archive describes it, nothing of it checked yet. */
export interface ListedMember {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly compressedSize: number;
  /** Unknown where the directory is lost and the archive does not say. */
  readonly size?: number;
  readonly crc32?: number;
  /** Offset of the member's own header in the archive. */
  readonly headerOffset: number;
  /** Offset of its first byte. */
  readonly start: () => Promise<number>;
}

export class TooManyMembersError extends Error {
  override readonly name = 'TooManyMembersError';
}

/** @throws DamagedSourceError if there is no sound directory; TooManyMembersError; the errors of the reader */
export async function listDirectory(reader: ByteReader, maxEntries: number): Promise<ListedMember[]> {
  const adapter = new ReaderAdapter(reader);
  const members: ListedMember[] = [];
  try {
    // Names and sizes are checked by others: a bad one must cost its member, not the whole archive.
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

/** Lets the zip library read through a ByteReader, and keeps its complaints apart from failures of the reader. */
class ReaderAdapter extends RandomAccessReader {
  readonly #reader: ByteReader;
  #failure: { readonly error: unknown } | undefined;

  constructor(reader: ByteReader) {
    super();
    this.#reader = reader;
  }

  /** @returns the error to throw for one of the library: the reader's own failure if there was one */
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
