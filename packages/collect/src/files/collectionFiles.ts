/**
 * Collection files in the format of SharpHound 6, one object per line, in a directory that only its user may read. Files get their names
 * when they are complete: a run that ends early leaves no file that looks like a collection.
 */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

/** Version of the format of SharpHound 2. */
const SHARPHOUND_FORMAT = 6;
/** Bits of `meta.methods` in SharpHound's format: groups, trusts, access lists, containers, properties, service names, certificates. */
export const METHODS_OF_DIRECTORY = 1 | 32 | 64 | 128 | 512 | 8192 | 262_144;
/** The bit of local groups from policies. */
export const METHODS_OF_SYSVOL = 4;

interface OpenFile {
  readonly stream: WriteStream;
  readonly draft: string;
  readonly path: string;
  count: number;
  failure: Error | undefined;
}

export interface FileOptions {
  /** Bits of the used collection methods. */
  readonly methods: number;
  /** Name and version of the collector. */
  readonly collector: string;
  readonly version?: number;
  /** Part of file names, for directories with several domains. */
  readonly label?: string;
}

export class CollectionFiles {
  readonly #directory: string;
  readonly #options: FileOptions;
  readonly #open = new Map<string, OpenFile>();

  constructor(directory: string, options: FileOptions) {
    this.#directory = directory;
    this.#options = options;
  }

  async write(type: string, record: object): Promise<void> {
    const file = this.#open.get(type) ?? (await this.#begin(type));
    if (file.failure !== undefined) throw file.failure;
    const isFull = !file.stream.write(`${file.count === 0 ? '' : ','}\n${JSON.stringify(record)}`);
    file.count += 1;
    if (isFull) await once(file.stream, 'drain');
  }

  /** Completes all files and renames them. @returns their paths */
  async finish(): Promise<readonly string[]> {
    const { methods, collector, version = SHARPHOUND_FORMAT } = this.#options;
    for (const [type, file] of this.#open) {
      const { count } = file;
      const meta = { methods, type, count, version, collectorversion: collector };
      file.stream.end(`\n],"meta":${JSON.stringify(meta)}}\n`);
      // A stream that failed earlier is already closed, and emits no further event.
      await finished(file.stream);
    }
    for (const { draft, path } of this.#open.values()) await rename(draft, path);
    return [...this.#open.values()].map(({ path }) => path);
  }

  /** Removes incomplete files. */
  async discard(): Promise<void> {
    for (const { stream, draft } of this.#open.values()) {
      stream.destroy();
      await rm(draft, { force: true });
    }
  }

  async #begin(type: string): Promise<OpenFile> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const { label } = this.#options;
    // Domain names come from a directory, and must not become paths.
    const name = label === undefined ? type : `${encodeURIComponent(label)}_${type}`;
    const path = join(this.#directory, `clew_${name}.json`);
    const draft = `${path}.part`;
    const stream = createWriteStream(draft, { mode: 0o600 });
    const file: OpenFile = { stream, draft, path, count: 0, failure: undefined };
    stream.on('error', (error) => {
      file.failure = error;
    });
    stream.write('{"data":[');
    this.#open.set(type, file);
    return file;
  }
}
