/**
 * HTML with untrusted texts: names come from directories whose owners may be hostile, so every inserted text is escaped, and invisible
 * characters are replaced.
 */
import { printable } from '../terminal/text.ts';

/** Text that may be inserted into HTML unchanged. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | readonly (Html | string | number)[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** Template tag that escapes all inserted values except `Html`. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const filled = texts.map((text, index) => (index === 0 ? text : render(parts[index - 1]) + text));
  return { html: filled.join('') };
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (Array.isArray(part)) return part.map(render).join('');
  if (typeof part === 'object') return (part as Html).html;
  return escapeHtml(String(part));
}
