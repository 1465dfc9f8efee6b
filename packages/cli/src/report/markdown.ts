/** Converts the small subset of markdown in texts of findings to HTML: headings, lists, paragraphs, code, links. */
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
  // The page has its own headings above these.
  if (marks !== undefined) return `<h4>${inline(title as string)}</h4>`;
  const lines = block.split('\n');
  const items = (mark: RegExp) => lines.map((line) => `<li>${inline(line.replace(mark, ''))}</li>`).join('');
  if (lines.every((line) => /^\d+\. /.test(line))) return `<ol>${items(/^\d+\. /)}</ol>`;
  if (lines.every((line) => /^- /.test(line))) return `<ul>${items(/^- /)}</ul>`;
  return `<p>${lines.map(inline).join(' ')}</p>`;
}

/** Escaped first, so that only these marks become markup; links must use https. */
function inline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^\]]+)\]\((https:\/\/[^\s)]+)\)/g, '<a href="$2" rel="noreferrer">$1</a>');
}
