/** HTML for Azure DevOps. Untrusted text is escaped, so it begins no element and mentions no one. */
import type { Markup } from '../blocks.ts';

export const HTML: Markup = {
  plain: escapedHtml,
  quoted: escapedHtml,
  link: (url, words) => `<a href="${escapedHtml(url)}">${escapedHtml(words)}</a>`,
  heading: (text) => `<h3>${escapedHtml(text)}</h3>`,
  paragraph: (text) => `<p>${text}</p>`,
  list: (items) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`,
  between: '\n',
};

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
};

export function escapedHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
