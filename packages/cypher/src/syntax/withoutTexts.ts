/** Queries for readers who may not see all objects: their texts can name any of them. */
import { tokenize } from './tokens.ts';

const HIDDEN = '…';

/** @returns the query with `'…'` for each text, and without its comments; `…` for one that cannot be read */
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
