/**
 * Wiki markup of Jira Server and Data Center. Every special character in untrusted text is an entity, because a backslash has its
 * own meanings.
 */
import type { Markup } from '../blocks.ts';

export const WIKI: Markup = {
  plain: (text) => text,
  quoted: entities,
  link: (url, words) => `[${words}|${url}]`,
  heading: (text) => `h3. ${text}`,
  paragraph: (text) => text,
  list: (items) => items.map((item) => `* ${item}`).join('\n'),
  between: '\n\n',
};

/** Letters, digits and blanks stay. */
export function entities(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
