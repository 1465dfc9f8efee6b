/** The stored form of objects that were placed by hand, and its use in a drawing. */
import type { Place, Places } from '../../graph/layered.ts';

/** Limit; the oldest questions are deleted first. */
const MAX_QUESTIONS = 20;
const MAX_PINS = 300;
const MAX_PLACE = 1_000_000;

export type Kept = readonly (readonly [
  question: string,
  pins: readonly (readonly [string, number, number])[],
])[];

/** @param pins an empty list deletes the entry of the question */
export function withQuestion(kept: Kept, question: string, pins: Places): Kept {
  const rest = kept.filter(([one]) => one !== question);
  if (pins.size === 0) return rest;
  const own = [...pins]
    .slice(0, MAX_PINS)
    .map(([id, { x, y }]) => [id, Math.round(x), Math.round(y)] as const);
  return [...rest, [question, own] as const].slice(-MAX_QUESTIONS);
}

/** @returns the valid parts of a text in the form of {@link withQuestion}; other code may have written to the storage */
export function keptIn(text: string | null): Kept {
  const value: unknown = JSON.parse(text ?? '[]');
  if (!Array.isArray(value)) return [];
  return value
    .filter(
      (one): one is [string, unknown[]] =>
        Array.isArray(one) && typeof one[0] === 'string' && Array.isArray(one[1]),
    )
    .slice(-MAX_QUESTIONS)
    .map(([question, pins]) => [question, pins.filter(isPin).slice(0, MAX_PINS)] as const);
}

const isPin = (value: unknown): value is [string, number, number] =>
  Array.isArray(value) && typeof value[0] === 'string' && isPlace(value[1]) && isPlace(value[2]);

const isPlace = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) <= MAX_PLACE;

/**
 * Moves pinned objects to their stored places. @returns the new places, and the original places of the pinned objects in the
 * layout
 */
export function withPins(places: Places, pins: Places): { readonly places: Places; readonly home: Places } {
  const home = new Map<string, Place>();
  const moved = new Map(places);
  for (const [id, place] of pins) {
    const old = places.get(id);
    if (old === undefined) continue;
    home.set(id, old);
    moved.set(id, place);
  }
  return { places: moved, home };
}
