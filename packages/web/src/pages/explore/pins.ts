/**
 * Places of objects that were moved by hand. The tab stores them by question, so that a reload restores them. The service stores
 * the places of saved drawings.
 */
import type { Places } from '../../graph/layered.ts';
import { onForget } from '../../service/kept.ts';
import { PINS } from '../../service/keptKeys.ts';
import { type Kept, keptIn, withQuestion } from './keptPins.ts';

/** Fallback if the tab has no storage; lost on reload. */
let kept: Kept | undefined;

onForget(() => {
  kept = undefined;
});

export function readPins(question: string): Places {
  const found = all().find(([one]) => one === question);
  return new Map((found?.[1] ?? []).map(([id, x, y]) => [id, { x, y }]));
}

/** @param pins an empty list deletes the entry of the question */
export function writePins(question: string, pins: Places): void {
  kept = withQuestion(all(), question, pins);
  try {
    if (kept.length === 0) sessionStorage.removeItem(PINS);
    else sessionStorage.setItem(PINS, JSON.stringify(kept));
  } catch {
    // The value is lost on reload.
  }
}

function all(): Kept {
  if (kept !== undefined) return kept;
  try {
    kept = keptIn(sessionStorage.getItem(PINS));
  } catch {
    kept = [];
  }
  return kept;
}
