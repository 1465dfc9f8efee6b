/**
 * Renders GitHub-flavored Markdown, with the allowed HTML elements that the service also uses to check definitions. Only
 * attributes named here are kept; images become links, so that no page contacts a third-party server.
 */
import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { safeLink } from './Markdown.tsx';

const reader = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize)
  .freeze();

interface TreeNode {
  readonly type: string;
  readonly tagName?: string;
  readonly value?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly children?: readonly TreeNode[];
}

/** Rendered elements; for all others, only their contents are rendered. */
const ELEMENTS: ReadonlySet<string> = new Set([
  ...['p', 'strong', 'b', 'em', 'i', 'del', 's', 'strike', 'ins', 'code', 'pre', 'kbd', 'samp', 'var', 'tt'],
  ...['sub', 'sup', 'q', 'blockquote', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'hr', 'br', 'details', 'summary'],
  ...['table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
]);
const EMPTY: ReadonlySet<string> = new Set(['hr', 'br']);
/** Numeric attributes. */
const NUMBERS = ['colSpan', 'rowSpan', 'start'] as const;

export default function GithubMarkdown({ text }: { readonly text: string }) {
  const content = useMemo(() => {
    const tree = reader.runSync(reader.parse(text)) as unknown as TreeNode;
    return (tree.children ?? []).map(shown);
  }, [text]);
  return <div className="prose">{content}</div>;
}

function shown(node: TreeNode, at: number): ReactNode {
  const { type, tagName = '', value = '', properties = {}, children = [] } = node;
  if (type === 'text') return value;
  if (type !== 'element') return null;
  const key = `${at} ${tagName}`;
  const inside = children.map(shown);
  if (tagName === 'a') return safeLink(textOf(properties.href), words(node), key, true, inside);
  if (tagName === 'img') {
    const alt = textOf(properties.alt) || textOf(properties.src);
    return safeLink(textOf(properties.src), alt, key, true);
  }
  if (tagName === 'input') return <Fragment key={key}>{properties.checked === true ? '☑ ' : '☐ '}</Fragment>;
  if (/^h[1-6]$/.test(tagName)) return <h3 key={key}>{inside}</h3>;
  if (!ELEMENTS.has(tagName)) return <Fragment key={key}>{inside}</Fragment>;
  if (EMPTY.has(tagName)) return createElement(tagName, { key });
  const numbers = NUMBERS.flatMap((name) => {
    const number = Number(properties[name]);
    return Number.isInteger(number) && number > 0 && number < 1000 ? [[name, number]] : [];
  });
  return createElement(tagName, { key, ...Object.fromEntries(numbers) }, ...inside);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The text of a link, to compare it with its address. */
const words = ({ value = '', children = [] }: TreeNode): string => value + children.map(words).join('');
