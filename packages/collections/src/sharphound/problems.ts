/** The problems found while an object is read: each once, with its number of occurrences. */
import type { ReadIssue } from '@clew/model';
import type { ObjectPlace } from '../reader.ts';

const MAX_NAME = 128;

export class Problems {
  /** Keyed by reason. Most objects have none. */
  #found: Map<string, { severity: ReadIssue['severity']; places: number }> | undefined;
  #lost = 0;

  /** Number of parts that could not be read so far. The known facts about them must stay. */
  get lost(): number {
    return this.#lost;
  }

  /** Records that an unreadable part is omitted. */
  lose(reason: string): void {
    this.#lost++;
    this.#add('repaired', reason);
  }

  /** Records that a part was changed to be read. */
  repair(reason: string): void {
    this.#add('repaired', reason);
  }

  /** Records information without a fault. */
  note(reason: string): void {
    this.#add('note', reason);
  }

  issues(place: ObjectPlace, object: string): ReadIssue[] {
    if (this.#found === undefined) return [];
    return [...this.#found].map(([reason, { severity, places }]) => ({
      severity,
      index: place.index,
      offset: place.offset,
      object: object.slice(0, MAX_NAME),
      reason: places === 1 || severity === 'note' ? reason : `${reason} (${places} times)`,
    }));
  }

  #add(severity: ReadIssue['severity'], reason: string): void {
    this.#found ??= new Map();
    const known = this.#found.get(reason);
    if (known === undefined) this.#found.set(reason, { severity, places: 1 });
    else known.places++;
  }
}
