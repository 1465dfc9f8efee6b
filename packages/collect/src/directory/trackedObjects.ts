/**
 * Records that were handed over, by a mark of each: a later reading hands over only new records, and names removed objects. A mark has no times
 * of sign-ins, which change all day and change no right. About 200 bytes an object.
 */
import { createHash } from 'node:crypto';
import type { FileType } from './secondPass.ts';

interface Tracked {
  readonly file: FileType;
  /** The id that records have. */
  readonly id: string;
  readonly mark: string;
}

export interface Gone {
  readonly file: FileType;
  readonly id: string;
}

/** Properties that change without a change of the object. */
const TIMES: readonly string[] = ['lastlogon', 'lastlogontimestamp'];

export class TrackedObjects {
  /** Keys are GUIDs, in upper case. */
  #kept = new Map<string, Tracked>();
  #staged = new Map<string, Tracked | undefined>();

  get size(): number {
    return this.#kept.size;
  }

  /** @returns whether the record is another one than was handed over last; it counts as handed over by `commit` */
  isNew(file: FileType, record: Readonly<Record<string, unknown>>): boolean {
    const id = String(record.ObjectIdentifier);
    const properties = record.Properties as { readonly objectguid?: string };
    const key = properties.objectguid ?? id;
    const mark = markOf(record);
    const known = this.#staged.has(key) ? this.#staged.get(key) : this.#kept.get(key);
    if (known?.mark === mark && known.file === file) return false;
    this.#staged.set(key, { file, id, mark });
    return true;
  }

  /** @param guids of the objects that are there. @returns the others, which count as removed by `commit` */
  gone(guids: ReadonlySet<string>): readonly Gone[] {
    const gone: Gone[] = [];
    for (const [key, { file, id }] of this.#kept) {
      // The directory has no objects of well-known principals.
      if (key === id && !GUID.test(key)) continue;
      if (guids.has(key) || this.#staged.get(key) !== undefined) continue;
      this.#staged.set(key, undefined);
      gone.push({ file, id });
    }
    return gone;
  }

  /** All was handed over. */
  commit(): void {
    for (const [key, tracked] of this.#staged)
      if (tracked === undefined) this.#kept.delete(key);
      else this.#kept.set(key, tracked);
    this.#staged.clear();
  }

  /** Nothing was handed over. */
  rollback(): void {
    this.#staged.clear();
  }
}

const GUID = /^[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}$/;

const markOf = (record: object): string =>
  createHash('sha1')
    .update(JSON.stringify(record, (name, value) => (TIMES.includes(name) ? undefined : value)))
    .digest('base64');
