/**
 * Finds records of one file that give one object id to different accounts. SIDs are unique, so at least one of these records is wrong, and
 * merging them would describe an object that does not exist. The first record counts completely; the others are left out and reported.
 *
 * Rule: `docs/reference/collections.md#one-id-two-records`.
 */
import type { NodeFact, PropertyValue } from '@clew/model';

/** A record that is left out. */
export interface LeftOutRecord {
  readonly origin: number;
  /** Number of the object in its file. */
  readonly index: number;
  readonly id: number;
  readonly objectId: string;
  /** Account name or distinguished name. */
  readonly name: string;
}

/** Hash of a missing value. */
const NOTHING = 0;

export class Identities {
  /** Values by dictionary number: file of the last description, from 1; hashes of account name and distinguished name. */
  #files = new Int32Array(1024);
  #accounts = new Int32Array(1024);
  #places = new Int32Array(1024);

  /**
   * Notes the names that a record gives to the object.
   * @returns false if an earlier record of the file gives it another account name or distinguished name
   */
  agrees(origin: number, id: number, { properties }: Pick<NodeFact, 'properties'>): boolean {
    const account = hashOf(properties.samaccountname);
    const place = hashOf(properties.distinguishedname);
    if (account === NOTHING && place === NOTHING) return true;
    if (id >= this.#files.length) this.#grow(id);
    if (this.#files[id] !== origin + 1) {
      this.#files[id] = origin + 1;
      this.#accounts[id] = account;
      this.#places[id] = place;
      return true;
    }
    if (differ(this.#accounts[id], account) || differ(this.#places[id], place)) return false;
    this.#accounts[id] ||= account;
    this.#places[id] ||= place;
    return true;
  }

  #grow(id: number): void {
    const grown = (values: Int32Array): Int32Array<ArrayBuffer> => {
      const longer = new Int32Array(Math.max(values.length * 2, id + 1));
      longer.set(values);
      return longer;
    };
    this.#files = grown(this.#files);
    this.#accounts = grown(this.#accounts);
    this.#places = grown(this.#places);
  }
}

/** @returns the name by which a warning identifies a left out record */
export function recordName({ properties }: Pick<NodeFact, 'properties'>): string {
  const { samaccountname, distinguishedname } = properties;
  const names = [samaccountname, distinguishedname].filter((name) => typeof name === 'string' && name !== '');
  return String(names[0] ?? '');
}

const differ = (one: number, other: number): boolean => one !== NOTHING && other !== NOTHING && one !== other;

/** The bit in which upper and lower case letters of ASCII differ. */
const CASE_BIT = 0x20;

/** FNV-1a, case-insensitive. Two names with the same hash count as the same name. */
function hashOf(value: PropertyValue | undefined): number {
  if (typeof value !== 'string' || value === '') return NOTHING;
  let hash = 0x811c9dc5;
  for (let at = 0; at < value.length; at++)
    hash = Math.imul(hash ^ (value.charCodeAt(at) & ~CASE_BIT), 0x01000193);
  return hash === NOTHING ? 1 : hash;
}
