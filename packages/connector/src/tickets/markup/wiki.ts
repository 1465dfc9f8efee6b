/** Wiki markup of Jira Server and Data Center. Every sign in text of others is an entity, since a backslash has meanings of its own. */
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
