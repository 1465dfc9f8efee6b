/** Texts of queries for the audit log: names and numbers are removed, so that the log does not record what users look for. */

const MAX_LENGTH = 2000;
/** Maximum length of the query that is read: more than usually remains of it, and short enough to process quickly. */
const MAX_READ = 8 * MAX_LENGTH;

/** One pass, so that backslashes and quotes take no longer than other text. */
export function withoutLiterals(query: string): string {
  let text = '';
  for (let at = 0; at < query.length && at < MAX_READ && text.length < MAX_LENGTH; ) {
    const character = query[at];
    if (character === "'" || character === '"') {
      text += "'…'";
      at = endOfText(query, at);
    } else {
      text += character;
      at++;
    }
  }
  return text.replaceAll(/\b\d+(?:\.\d+)?\b/g, '…').slice(0, MAX_LENGTH);
}

/** @returns the position after the closing quote, or the end */
function endOfText(query: string, start: number): number {
  for (let at = start + 1; at < query.length; at++) {
    if (query[at] === '\\') at++;
    else if (query[at] === query[start]) return at + 1;
  }
  return query.length;
}
