/**
 * Regular expressions that are nothing but words, with `.*` and bounds around them, as most of this field are:
 * `(?i)^MSOL_|.*AADConnect.*`. The engine of the language looks for words ten times as quickly as RE2, and has nothing to
 * repeat in them: its time stays in proportion to text times pattern.
 */

/** ASCII: of other letters both engines would have to know the same cases. */
const ALTERNATIVE = /^(\^?)(\.\*)?((?:[A-Za-z0-9_@ -]|\\\.)+)(\.\*)?(\$?)$/;
const LINE_END = '\n';

/**
 * @param isSearched the pattern may match a part of the text
 * @param otherwise tests texts of several lines, which `.` does not go beyond
 * @returns nothing for any other pattern
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
