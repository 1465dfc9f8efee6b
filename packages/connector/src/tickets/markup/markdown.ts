/**
 * Markdown for GitHub. Untrusted text is a code span with a fence longer than any run of backquotes in it (CommonMark, 6.1): it
 * is not interpreted, and a `@name` in it notifies no one.
 */
import type { Markup } from '../blocks.ts';

export const MARKDOWN: Markup = {
  plain: (text) => text,
  // A code span contains no HTML comments, but it must not look like the mark of a ticket either.
  quoted: (text) => codeSpan(text.replaceAll('<!--', '<! --')),
  link: (url, words) => `[${words}](<${url}>)`,
  heading: (text) => `### ${text}`,
  paragraph: (text) => text,
  list: (items) => items.map((item) => `- ${item}`).join('\n'),
  between: '\n\n',
};

export function codeSpan(text: string): string {
  if (text === '') return '';
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // Readers remove one space at each end, and a backquote needs one next to it.
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
