/** Redacts queries for readers who may not see all objects, because texts in a query can contain any name. */
import { tokenize } from './tokens.ts';

const HIDDEN = '…';

/** @returns the query with `'…'` for each text, and without comments; `…` for an invalid query */
export function withoutTexts(query: string): string {
  let text = '';
  let before = 0;
  try {
    for (const { kind, start, end } of tokenize(query)) {
      const gap = query.slice(before, start);
      text += gap.trim() === '' ? gap : ' ';
      text += kind === 'string' ? `'${HIDDEN}'` : query.slice(start, end);
      before = end;
    }
  } catch {
    return HIDDEN;
  }
  return text;
}
