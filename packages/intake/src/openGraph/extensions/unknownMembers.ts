/**
 * Warns about members of a definition that no reader asked for, because a misspelled member would otherwise be
 * ignored without a word.
 *
 * Rule: `docs/extensions.md#unknown-members`.
 */
import { nearestName } from '@clew/cypher';
import { type Faults, within } from './faults.ts';

/** Editors use it to find the schema of a document; readers ignore it. */
const OF_EDITORS = '$schema';

/** One object of a document, with the names that readers asked for. */
export interface ReadObject {
  readonly pointer: string;
  /** Names of its members. */
  readonly written: readonly string[];
  readonly asked: Set<string>;
  /** Whether its names are data, such as the keys of sections, so that none of them is unknown. */
  hasFreeNames: boolean;
}

/** The objects of a document that have been read. Objects that no reader reached are not in it. */
export class ReadObjects {
  readonly #objects: ReadObject[] = [];

  /** @param value the object at the pointer */
  add(pointer: string, value: Readonly<Record<string, unknown>>): ReadObject {
    const made = { pointer, written: Object.keys(value), asked: new Set<string>(), hasFreeNames: false };
    this.#objects.push(made);
    return made;
  }

  /** Call this after all readers have run. */
  warnOfUnknown(faults: Faults): void {
    for (const { pointer, written, asked, hasFreeNames } of this.#objects) {
      if (hasFreeNames) continue;
      for (const name of written)
        if (!asked.has(name) && name !== OF_EDITORS)
          // Suggestions are computed only for messages that are shown.
          faults.warn(within(pointer, name), () => `is not known, and ignored${meant(name, written, asked)}`);
    }
  }
}

/** Suggests a name that the object does not have yet: a similar one, or one that ends with the written name. */
function meant(name: string, written: readonly string[], asked: ReadonlySet<string>): string {
  const free = [...asked].filter((one) => !written.includes(one));
  const nearest = nearestName(name, free);
  const longer = free.filter((one) => one.endsWith(`_${name.toLowerCase()}`));
  const names = nearest === undefined ? longer : [nearest];
  return names.length === 0 ? '' : `: did you mean ${names.join(' or ')}?`;
}
