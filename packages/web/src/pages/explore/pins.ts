/**
 * Places of objects that were moved by hand. The tab stores them by question, so that a reload restores them. The
 * service stores those of a saved drawing.
 */
import type { Places } from '../../graph/layered.ts';
import { onForget, PINS } from '../../service/kept.ts';
import { type Kept, keptIn, withQuestion } from './keptPins.ts';

/** If the tab has no storage, kept as long as the page. */
let kept: Kept | undefined;

onForget(() => {
  kept = undefined;
});

export function readPins(question: string): Places {
  const found = all().find(([one]) => one === question);
  return new Map((found?.[1] ?? []).map(([id, x, y]) => [id, { x, y }]));
}

/** @param pins none forgets those of the question */
export function writePins(question: string, pins: Places): void {
  kept = withQuestion(all(), question, pins);
  try {
    if (kept.length === 0) sessionStorage.removeItem(PINS);
    else sessionStorage.setItem(PINS, JSON.stringify(kept));
  } catch {
    // It lasts as long as the page.
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
