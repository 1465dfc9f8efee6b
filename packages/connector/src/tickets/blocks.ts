/**
 * Texts of tickets before they are written in the markup of a system. Text from the service is always `quoted`: its names come
 * from a directory, where an attacker may have chosen them, so each markup escapes it completely.
 */

import { replaceUnsafe } from '@clew/model';
import { cutTo } from '../cutTo.ts';

/** A string is a constant of this program; `quoted` is untrusted text; `link` is an address of the service. */
export type Run = string | { readonly quoted: string } | { readonly link: string; readonly words: string };

export type Block =
  | { readonly heading: string }
  | { readonly paragraph: readonly Run[] }
  | { readonly list: readonly (readonly Run[])[] };

/** Maximum number of UTF-16 units of one quoted text. */
const MAX_QUOTED = 1000;

/** Converts text to one line without control and direction marks and without lone surrogates. @param most UTF-16 units */
export function plainLine(text: string, most: number = MAX_QUOTED): string {
  const line = replaceUnsafe(text, (one) => (/[\s\p{Cc}]/u.test(one) ? ' ' : ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= most ? line : `${cutTo(line, most - 3)}...`;
}

export const quoted = (text: string): Run => ({ quoted: plainLine(text) });

/** How a markup writes each part. */
export interface Markup {
  /** Constant text, which contains no special characters. */
  readonly plain: (text: string) => string;
  readonly quoted: (text: string) => string;
  readonly link: (url: string, words: string) => string;
  readonly heading: (text: string) => string;
  readonly paragraph: (text: string) => string;
  readonly list: (items: readonly string[]) => string;
  /** Separates blocks. */
  readonly between: string;
}

export function writeBlocks(blocks: readonly Block[], markup: Markup): string {
  const line = (runs: readonly Run[]): string =>
    runs
      .map((run) => {
        if (typeof run === 'string') return markup.plain(run);
        return 'quoted' in run ? markup.quoted(plainLine(run.quoted)) : markup.link(run.link, run.words);
      })
      .join('');
  return blocks
    .map((block) => {
      if ('heading' in block) return markup.heading(block.heading);
      return 'list' in block ? markup.list(block.list.map(line)) : markup.paragraph(line(block.paragraph));
    })
    .join(markup.between);
}

/** Removes the last items of the longest list until the text fits this size, and states their number. */
export function fitted(
  blocks: readonly Block[],
  sizeOf: (blocks: readonly Block[]) => number,
  most: number,
): readonly Block[] {
  const kept = blocks.map((block): { block: Block; left: number } => ({ block, left: 0 }));
  const written = (): Block[] =>
    kept.flatMap(({ block, left }) => [
      ...('list' in block && block.list.length === 0 ? [] : [block]),
      ...(left === 0 ? [] : [{ paragraph: [`${left} more are on the page of the repair.`] }]),
    ]);
  while (sizeOf(written()) > most) {
    const lengths = kept.map(({ block }) => ('list' in block ? block.list.length : 0));
    const one = kept[lengths.indexOf(Math.max(...lengths))];
    if (one === undefined || !('list' in one.block) || one.block.list.length === 0) return written();
    one.block = { list: one.block.list.slice(0, -1) };
    one.left++;
  }
  return written();
}

/** Writes blocks and an end that is always kept. @param most maximum number of characters of the whole text */
export function fittedText(blocks: readonly Block[], markup: Markup, most: number, end: string): string {
  const write = (some: readonly Block[]): string => `${writeBlocks(some, markup)}${end}`;
  return write(fitted(blocks, (some) => write(some).length, most));
}

/** Plain text, for systems without markup. */
export const PLAIN: Markup = {
  plain: (text) => text,
  quoted: (text) => text,
  link: (url) => url,
  heading: (text) => text.toUpperCase(),
  paragraph: (text) => text,
  list: (items) => items.map((item) => `- ${item}`).join('\n'),
  between: '\n\n',
};
