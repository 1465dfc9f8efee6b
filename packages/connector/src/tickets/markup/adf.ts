/** The document format of Jira Cloud (Atlassian Document Format, version 1): text nodes have no special characters. */
import { type Block, plainLine, type Run } from '../blocks.ts';

export interface AdfNode {
  readonly type: string;
  readonly [name: string]: unknown;
}

/** @param mark a separate last line */
export function adfDocument(blocks: readonly Block[], mark?: string): AdfNode {
  const last = mark === undefined ? [] : [paragraph([mark])];
  return { type: 'doc', version: 1, content: [...blocks.map(nodeOf), ...last] };
}

function nodeOf(block: Block): AdfNode {
  if ('heading' in block)
    return { type: 'heading', attrs: { level: 3 }, content: [{ type: 'text', text: block.heading }] };
  if ('paragraph' in block) return paragraph(block.paragraph);
  const content = block.list.map((item) => ({ type: 'listItem', content: [paragraph(item)] }));
  return { type: 'bulletList', content };
}

/** A text node must not be empty. */
const paragraph = (runs: readonly Run[]): AdfNode => ({
  type: 'paragraph',
  content: runs.flatMap((run): AdfNode[] => {
    if (typeof run === 'object' && 'link' in run)
      return [{ type: 'text', text: run.words, marks: [{ type: 'link', attrs: { href: run.link } }] }];
    const text = typeof run === 'string' ? run : plainLine(run.quoted);
    return text === '' ? [] : [{ type: 'text', text }];
  }),
});
