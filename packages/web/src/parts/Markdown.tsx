/**
 * Renders texts about types of findings, and untrusted texts of checks and extensions: headings, lists, paragraphs,
 * emphasis, code and links with known schemes become elements; everything else, including HTML, stays text.
 */
import { type ReactNode, useMemo } from 'react';

interface MarkdownProps {
  readonly text: string;
  /** Whether links show their target. */
  readonly isForeign?: boolean;
}

export function Markdown({ text, isForeign = false }: MarkdownProps) {
  const inline = (line: string) => inlineOf(line, isForeign);
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div className="prose">
      {blocks.map(({ key, kind, lines }) => {
        if (kind === 'code') return <pre key={key}>{lines.join('\n')}</pre>;
        if (kind === 'heading') return <h3 key={key}>{inline(lines[0])}</h3>;
        if (kind === 'list' || kind === 'numbers') {
          const List = kind === 'list' ? 'ul' : 'ol';
          return (
            <List key={key}>
              {lines.map((line, at) => (
                <li key={`${at + 1}`}>{inline(line)}</li>
              ))}
            </List>
          );
        }
        return <p key={key}>{inline(lines.join(' '))}</p>;
      })}
    </div>
  );
}

interface Block {
  readonly kind: 'heading' | 'list' | 'numbers' | 'code' | 'text';
  readonly lines: string[];
  /** Its position in the text. */
  readonly key: string;
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let inCode = false;
  const add = (kind: Block['kind'], line: string, joins: boolean) => {
    const last = blocks.at(-1);
    if (joins && last?.kind === kind) last.lines.push(line);
    else blocks.push({ kind, lines: [line], key: `block ${blocks.length}` });
  };
  let isNew = true;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*```/.test(line)) {
      inCode = !inCode;
      if (inCode) blocks.push({ kind: 'code', lines: [], key: `block ${blocks.length}` });
      isNew = true;
      continue;
    }
    if (inCode) {
      blocks.at(-1)!.lines.push(line);
      continue;
    }
    if (line.trim() === '') {
      isNew = true;
      continue;
    }
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    const item = /^\s*[-*]\s+(.*)$/.exec(line);
    const number = /^\s*\d+[.)]\s+(.*)$/.exec(line);
    if (heading !== null) add('heading', heading[1], false);
    else if (item !== null) add('list', item[1], true);
    else if (number !== null) add('numbers', number[1], true);
    else if (!isNew && (blocks.at(-1)?.kind === 'list' || blocks.at(-1)?.kind === 'numbers')) {
      const { lines } = blocks.at(-1)!;
      lines[lines.length - 1] += ` ${line.trim()}`;
    } else add('text', line.trim(), !isNew);
    isNew = false;
  }
  return blocks;
}

/** Parts have a maximum length, so a text with many unclosed delimiters takes no extra time. */
const INLINE =
  /(`[^`]{1,1000}`|\*\*[^*]{1,1000}\*\*|\*[^*]{1,1000}\*|\[[^\]]{1,500}\]\([^)\s]{1,2000}\)|https:\/\/[^\s)<>]{1,2000})/;

function inlineOf(text: string, isForeign: boolean): ReactNode[] {
  return text.split(INLINE).map((part, index) => {
    const key = `${index}-${part.slice(0, 8)}`;
    if (index % 2 === 0) return part;
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**')) return <strong key={key}>{part.slice(2, -2)}</strong>;
    if (part.startsWith('*')) return <em key={key}>{part.slice(1, -1)}</em>;
    const link = /^\[([^\]]+)\]\((.+)\)$/.exec(part);
    return safeLink(link?.[2] ?? part, link?.[1] ?? part, key, isForeign);
  });
}

/** Only links with known schemes are created. @param shown content of the link; default: its words */
export function safeLink(
  address: string,
  words: string,
  key: string,
  isForeign: boolean,
  shown: ReactNode = words,
): ReactNode {
  const host = /^https:\/\//i.test(address) ? URL.parse(address)?.host : undefined;
  if (host === undefined) return shown;
  const link = (
    <a key={key} href={address} rel="noreferrer noopener" target="_blank">
      {shown}
    </a>
  );
  return isForeign && words !== address ? [link, ` (${host})`] : link;
}
