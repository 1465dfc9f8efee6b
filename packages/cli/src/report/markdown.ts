/** The little markdown that texts of findings are written in, as HTML: headings, lists, paragraphs, code, links. */
import { escapeHtml, type Html } from './html.ts';

export function markdownToHtml(markdown: string): Html {
  const blocks = markdown
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '');
  return { html: blocks.map(blockToHtml).join('\n') };
}

function blockToHtml(block: string): string {
  const [, marks, title] = /^(#{1,4}) ([^\n]*)$/.exec(block) ?? [];
  // The page has headings of its own above these.
  if (marks !== undefined) return `<h4>${inline(title as string)}</h4>`;
  const lines = block.split('\n');
  const items = (mark: RegExp) => lines.map((line) => `<li>${inline(line.replace(mark, ''))}</li>`).join('');
  if (lines.every((line) => /^\d+\. /.test(line))) return `<ol>${items(/^\d+\. /)}</ol>`;
  if (lines.every((line) => /^- /.test(line))) return `<ul>${items(/^- /)}</ul>`;
  return `<p>${lines.map(inline).join(' ')}</p>`;
}

/** Escaped first, so that nothing but these marks becomes markup; links lead to https only. */
function inline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^\]]+)\]\((https:\/\/[^\s)]+)\)/g, '<a href="$2" rel="noreferrer">$1</a>');
}
