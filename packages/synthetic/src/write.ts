/** Writes generated files to disk, as single files or as one archive. */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { type Forest, fileText } from './collection.ts';

/** A file that is generated while it is written. */
export interface GeneratedFile {
  readonly name: string;
  /** The described domain, tenant or source. */
  readonly domain: string;
  readonly type: string;
  /** The text in pieces; calls `onObject` for each object. */
  readonly text: (onObject: () => void) => Iterable<string>;
}

/** @returns the files of a forest */
export function forestFiles(forest: Forest): GeneratedFile[] {
  return forest.files.map((file) => ({
    name: file.name,
    domain: file.domain,
    type: file.type,
    text: (onObject) => fileText(file, onObject),
  }));
}

export interface WrittenFile {
  readonly name: string;
  readonly domain: string;
  readonly type: string;
  readonly objects: number;
  /** Size of the text, before compression. */
  readonly bytes: number;
}

/** Called regularly with the number of objects written so far. */
export type OnProgress = (objects: number) => void;

class Tally {
  readonly written: WrittenFile[] = [];
  readonly #onProgress: OnProgress;
  #objects = 0;

  constructor(onProgress: OnProgress) {
    this.#onProgress = onProgress;
  }

  /** @returns the bytes of a file; its row is added to the tally at the end */
  read(file: GeneratedFile): Readable {
    return Readable.from(this.#bytes(file), { objectMode: false, highWaterMark: 256 * 1024 });
  }

  *#bytes(file: GeneratedFile): Generator<Buffer> {
    let objects = 0;
    let bytes = 0;
    for (const text of file.text(() => objects++)) {
      const chunk = Buffer.from(text);
      bytes += chunk.length;
      this.#onProgress(this.#objects + objects);
      yield chunk;
    }
    this.#objects += objects;
    const { name, domain, type } = file;
    this.written.push({ name, domain, type, objects, bytes });
  }
}

/** Writes every file into the directory, which is created if missing. */
export async function writeFiles(
  files: readonly GeneratedFile[],
  directory: string,
  onProgress: OnProgress = () => {},
): Promise<WrittenFile[]> {
  await mkdir(directory, { recursive: true });
  const tally = new Tally(onProgress);
  for (const file of files) {
    await pipeline(tally.read(file), createWriteStream(join(directory, file.name)));
  }
  return tally.written;
}

/** Times in archives are fixed, so the same seed gives the same archive. */
const ARCHIVE_TIME = new Date(Date.UTC(2026, 5, 1, 9, 30));

/** Writes all files into one zip archive. */
export async function writeZip(
  files: readonly GeneratedFile[],
  path: string,
  onProgress: OnProgress = () => {},
): Promise<WrittenFile[]> {
  await mkdir(dirname(path), { recursive: true });
  const tally = new Tally(onProgress);
  const archive = new ZipFile();
  const done = pipeline(archive.outputStream, createWriteStream(path));
  for (const file of files) {
    archive.addReadStreamLazy(file.name, { mtime: ARCHIVE_TIME, compressionLevel: 6 }, (take) => {
      take(null, tally.read(file));
    });
  }
  archive.end();
  await done;
  return tally.written;
}

export const writeForest = (
  forest: Forest,
  directory: string,
  onProgress?: OnProgress,
): Promise<WrittenFile[]> => writeFiles(forestFiles(forest), directory, onProgress);

export const writeForestZip = (
  forest: Forest,
  path: string,
  onProgress?: OnProgress,
): Promise<WrittenFile[]> => writeZip(forestFiles(forest), path, onProgress);
