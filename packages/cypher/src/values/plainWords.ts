/**
 * Fast path for regular expressions that contain only words, with `.*` and anchors, as in most queries of
 * BloodHound users: `(?i)^MSOL_|.*AADConnect.*`. The built-in JavaScript search is ten times as fast as RE2. Such
 * patterns have no repetitions, so its time is proportional to text length times pattern length.
 */

/** ASCII only: for other letters, both engines would need the same case mappings. */
const ALTERNATIVE = /^(\^?)(\.\*)?((?:[A-Za-z0-9_@ -]|\\\.)+)(\.\*)?(\$?)$/;
const LINE_END = '\n';

/**
 * @param isSearched whether the pattern may match a part of the text
 * @param otherwise tests multi-line texts, because `.` does not match line breaks
 * @returns `undefined` for any other pattern
 */
export function plainTest(
  pattern: string,
  isSearched: boolean,
  otherwise: (text: string) => boolean,
): ((text: string) => boolean) | undefined {
  const [, ignoresCase, body] = /^(\(\?i\))?(.*)$/s.exec(pattern) as RegExpExecArray;
  const parts = body.split('|').map((alternative) => ALTERNATIVE.exec(alternative));
  const sources: string[] = [];
  for (const part of parts) {
    if (part === null) return undefined;
    const [, begin, before, word, after, end] = part;
    const isAtBegin = before === undefined && (begin !== '' || !isSearched);
    const isAtEnd = after === undefined && (end !== '' || !isSearched);
    sources.push(`${isAtBegin ? '^' : ''}${word}${isAtEnd ? '$' : ''}`);
  }
  const expression = new RegExp(sources.join('|'), ignoresCase === undefined ? 'u' : 'iu');
  return (text) => (text.includes(LINE_END) ? otherwise(text) : expression.test(text));
}
