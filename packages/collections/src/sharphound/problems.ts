/** The problems of one object, gathered while it is read: each once, with the number of its places. */
import type { ReadIssue } from '@clew/model';
import type { ObjectPlace } from '../reader.ts';

const MAX_NAME = 128;

export class Problems {
  /** Keyed by reason. Nearly all objects have none. */
  #found: Map<string, { severity: ReadIssue['severity']; places: number }> | undefined;
  #lost = 0;

  /** Parts of the object that could not be read so far. The known facts about them must stay. */
  get lost(): number {
    return this.#lost;
  }

  /** A part could not be read and is left out. */
  lose(reason: string): void {
    this.#lost++;
    this.#add('repaired', reason);
  }

  /** A part was read after a change to it. */
  repair(reason: string): void {
    this.#add('repaired', reason);
  }

  /** Nothing is wrong, but a person may want to know. */
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
