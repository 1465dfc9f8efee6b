/**
 * Where objects were put by hand, kept by the tab by what was asked, so that a reload has them where they were put. A saved
 * drawing has its own; the service keeps these.
 */
import type { Places } from '../../graph/layered.ts';
import { onForget, PINS } from '../../service/kept.ts';
import { type Kept, keptIn, withQuestion } from './keptPins.ts';

/** Where the tab keeps nothing, as long as the page. */
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
