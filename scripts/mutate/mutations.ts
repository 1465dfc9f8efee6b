/** Small changes that introduce errors, which a test should detect. */

export interface Mutation {
  readonly file: string;
  /** Line number, starting at 1. */
  readonly line: number;
  /** `before → after` */
  readonly change: string;
  /** The complete file with the change. */
  readonly text: string;
}

/** Replacements by the replaced text; they apply only to code, not in comments, texts or types. */
const REPLACEMENTS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\bcontinue;/g, 'break;'],
  [/\bbreak;/g, 'continue;'],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \?\? /g, ' && '],
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\breturn (?=[^;{}]+;$)/gm, 'return undefined as never; return '],
  [/^( +)(?:this\.#?\w+ (?:\+|-)?= |[\w.#]+\.(?:add|push|set|delete)\()[^;]*;$/gm, '$1;'],
];

/** Replaces comments, texts and types by placeholders of the same length, which contain nothing to change. */
export function onlyCode(text: string): string {
  const blank = (part: string): string => part.replaceAll(/[^\n]/g, '_');
  return text
    .replaceAll(
      /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g,
      blank,
    )
    .replaceAll(/^import [^;]*;|^(?:export )?interface [\s\S]*?^\}/gm, blank);
}

export function mutationsOf(file: string, text: string): Mutation[] {
  const code = onlyCode(text);
  return REPLACEMENTS.flatMap(([pattern, replacement]) =>
    [...code.matchAll(pattern)].map((match): Mutation => {
      const [start, end] = [match.index, match.index + match[0].length];
      const before = text.slice(start, end);
      const after = replacement.replace('$1', match[1] ?? '');
      return {
        file,
        line: text.slice(0, start).split('\n').length,
        change: `${before.trim()} → ${after.trim()}`,
        text: text.slice(0, start) + after + text.slice(end),
      };
    }),
  );
}

/** The same sample for the same seed. */
export function sampleOf<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const rest = [...items];
  const chosen: Item[] = [];
  for (let state = seed; chosen.length < count && rest.length > 0; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    chosen.push(...rest.splice(state % rest.length, 1));
  }
  return chosen;
}
