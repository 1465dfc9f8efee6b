/** A path as text on one line, or on several if the terminal is narrower: objects with their kinds, and the steps between them. */
import type { PhraseOf } from '@clew/connector';
import type { Screen } from './screen.ts';
import { printable, shownName } from './text.ts';

export interface PathOfObjects {
  readonly nodes: readonly { readonly name: string; readonly kind?: string }[];
  /** Kinds of the relationships, one fewer than nodes. */
  readonly relations: readonly string[];
}

const CUT = 'cut: ';
/** Explains the word before a step. */
export const CUT_LEGEND = '"cut:" is before the step that the repair removes.';

interface PathLineOptions {
  /** Text before the path, on its first line. */
  readonly lead?: string;
  /** Indentation of further lines. */
  readonly indent?: number;
  /** Index of the removed step, from 0. */
  readonly cut?: number;
}

/** @returns lines without line breaks */
export function pathLine(
  { width }: Pick<Screen, 'width'>,
  { nodes, relations }: PathOfObjects,
  phraseOf: PhraseOf,
  { lead = '', indent = 2, cut = -1 }: PathLineOptions = {},
): string {
  const parts = nodes.flatMap(({ name, kind = '' }, at) => {
    const object = kind === '' ? shownName(name) : `${printable(kind)} ${shownName(name)}`;
    const relation = relations[at];
    if (relation === undefined) return [object];
    return [object, `-${at === cut ? CUT : ''}${printable(phraseOf(relation))}->`];
  });
  const lines: string[] = [];
  let line = lead;
  for (const [at, part] of parts.entries()) {
    const longer = line === '' || at === 0 ? `${line}${part}` : `${line} ${part}`;
    if (at === 0 || longer.length <= width) line = longer;
    else {
      lines.push(line);
      line = `${' '.repeat(indent)}${part}`;
    }
  }
  return [...lines, line].join('\n');
}
