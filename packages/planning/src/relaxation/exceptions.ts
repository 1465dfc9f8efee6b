/**
 * All cases in which the plan graph is inexact: it treats removable relationships as permanent. This overestimates the remaining
 * exposure, so a card never promises too much. The cases are counted while the graph is built, and answers carry the counts.
 *
 * Two more cases are outside this graph: the zone does not change when a repair removes an object from it, and a user who loses a
 * directory role may have their password reset by others, which only the simulation considers (`rejected` of a plan).
 *
 * Rule: `docs/plan.md#exceptions-on-the-safe-side`.
 */

/** Limits by case; `text` describes what happens beyond the limit. */
export const EXCEPTIONS = {
  'long-memberships': {
    limit: 400,
    text: 'memberships count as permanent: more than 400 steps lead to the holders of a right',
  },
  'many-coerced': {
    limit: 16,
    text: 'memberships count as permanent: more than 16 computers of a group can be coerced',
  },
  'many-combine': {
    limit: 10_000,
    text: 'memberships count as permanent: more than 10,000 members combine rights of several groups',
  },
  'many-matches': {
    limit: 1_000_000,
    text: 'relationships of patterns count as permanent: there are more than 1,000,000 steps of matches',
  },
} as const satisfies Readonly<Record<string, { readonly limit: number; readonly text: string }>>;

export type ExceptionKind = keyof typeof EXCEPTIONS;

export interface CountedException {
  readonly kind: ExceptionKind;
  /** Objects whose relationships count as permanent. */
  readonly objects: number;
}

export class Exceptions {
  readonly #objects = new Map<ExceptionKind, Set<number>>();

  /** @param object node whose relationships count as permanent */
  note(kind: ExceptionKind, object: number): void {
    const known = this.#objects.get(kind);
    if (known === undefined) this.#objects.set(kind, new Set([object]));
    else known.add(object);
  }

  /** @returns the cases that occurred, in the order of the table */
  get counts(): CountedException[] {
    return (Object.keys(EXCEPTIONS) as ExceptionKind[]).flatMap((kind) => {
      const objects = this.#objects.get(kind)?.size ?? 0;
      return objects === 0 ? [] : [{ kind, objects }];
    });
  }
}
