/** A comment, or a text in quotes with more than one word: the parts of a source file that people read. */
export interface Prose {
  readonly kind: 'comment' | 'text';
  /** Counted from 0. */
  readonly line: number;
  /** Has the line breaks of a comment, and not its marks. */
  readonly text: string;
}

const BLOCK = /^\s*(?:\/\*\*?|\*\/|\*(?= |$)|\{\/\*)/;
const LINE = /^\s*\/\/ ?/;
const TRAILING = /\s\/\/ (.*)$/;
const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** Code within a template; of nested braces the part up to the first closing one. */
const PLACEHOLDER = /\$\{[^}]*\}/g;

/** @returns the prose of TypeScript code, in its order. Texts that span lines are not found. */
export function proseOf(source: string): readonly Prose[] {
  const found: Prose[] = [];
  let open: 'block' | 'lines' | undefined;
  const addComment = (line: number, text: string): void => {
    const last = open === undefined ? undefined : found.pop();
    found.push(
      last === undefined ? { kind: 'comment', line, text } : { ...last, text: `${last.text}\n${text}` },
    );
  };
  for (const [line, text] of source.split('\n').entries()) {
    if (open !== 'block' && LINE.test(text)) {
      addComment(line, text.replace(LINE, ''));
      open = 'lines';
      continue;
    }
    if (open === 'lines') open = undefined;
    if (open === 'block' || BLOCK.test(text)) {
      addComment(line, text.replace(BLOCK, '').replace(/\*\/.*$/, ''));
      open = text.includes('*/') ? undefined : 'block';
      continue;
    }
    const trailing = TRAILING.exec(text);
    const code = trailing === null ? text : text.slice(0, trailing.index);
    for (const [quoted] of code.matchAll(QUOTED))
      if (quoted.includes(' '))
        found.push({ kind: 'text', line, text: quoted.slice(1, -1).replace(PLACEHOLDER, '') });
    if (trailing !== null) found.push({ kind: 'comment', line, text: trailing[1] as string });
  }
  return found;
}
