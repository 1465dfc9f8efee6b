/**
 * Digests of uploaded records: a later reading uploads only new records and the ids of removed objects. Digests exclude times of sign-ins,
 * which change constantly and affect no right. About 200 bytes per object.
 */
import { createHash } from 'node:crypto';
import type { FileType } from './secondPass.ts';

interface Tracked {
  readonly file: FileType;
  /** The id in records. */
  readonly id: string;
  readonly mark: string;
}

export interface Gone {
  readonly file: FileType;
  readonly id: string;
}

/** Properties that change without a change number. */
const TIMES: readonly string[] = ['lastlogon', 'lastlogontimestamp'];

export class TrackedObjects {
  /** Keys are GUIDs, in upper case. */
  #kept = new Map<string, Tracked>();
  #staged = new Map<string, Tracked | undefined>();

  get size(): number {
    return this.#kept.size;
  }

  /** @returns whether the record differs from the uploaded one; `commit` marks it as uploaded */
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

  /** @param guids of all existing objects @returns the others, which `commit` marks as removed */
  gone(guids: ReadonlySet<string>): readonly Gone[] {
    const gone: Gone[] = [];
    for (const [key, { file, id }] of this.#kept) {
      // The directory has no objects for well-known principals.
      if (key === id && !GUID.test(key)) continue;
      if (guids.has(key) || this.#staged.get(key) !== undefined) continue;
      this.#staged.set(key, undefined);
      gone.push({ file, id });
    }
    return gone;
  }

  /** Everything was uploaded. */
  commit(): void {
    for (const [key, tracked] of this.#staged)
      if (tracked === undefined) this.#kept.delete(key);
      else this.#kept.set(key, tracked);
    this.#staged.clear();
  }

  /** The upload failed. */
  rollback(): void {
    this.#staged.clear();
  }
}

const GUID = /^[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}$/;

const markOf = (record: object): string =>
  createHash('sha1')
    .update(JSON.stringify(record, (name, value) => (TIMES.includes(name) ? undefined : value)))
    .digest('base64');
