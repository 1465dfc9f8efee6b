/**
 * Validates Markdown of authors: GitHub's flavor, with the HTML elements of its allow list. The text is parsed to
 * the same tree as on a page, with HTML as browsers parse it; parts that sanitizing would remove from the tree are
 * errors. Pages sanitize with the same list, so texts stored by an older version are safe, too.
 */
import { isDeepStrictEqual } from 'node:util';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize, { defaultSchema, type Options } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** Maximum characters of one text. Markdown parsers take superlinear time for some texts. */
export const MAX_MARKDOWN_LENGTH = 64 * 1024;

/** The page prefixes ids; here they are compared unchanged. */
const ALLOWED: Options = { ...defaultSchema, clobber: [], clobberPrefix: '' };

const toTree = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .freeze();
const sanitizer = unified().use(rehypeSanitize, ALLOWED).freeze();

interface TreeNode {
  readonly type: string;
  readonly tagName?: string;
  readonly value?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly children?: readonly TreeNode[];
}

type Root = Parameters<typeof sanitizer.runSync>[0];

/** @returns a part of the text that a page must not show; `undefined` if the text is allowed */
export function markdownFault(text: string): string | undefined {
  if (text.length > MAX_MARKDOWN_LENGTH) return `is longer than ${MAX_MARKDOWN_LENGTH} characters`;
  const tree = toTree.runSync(toTree.parse(text)) as unknown as TreeNode;
  const clean = sanitizer.runSync(tree as unknown as Root) as unknown as TreeNode;
  return firstDifference(tree, clean);
}

/** Comments and processing instructions are removed, and are never shown anyway. */
const isShown = ({ type }: TreeNode): boolean => type === 'element' || type === 'text';

function firstDifference(before: TreeNode, after: TreeNode | undefined): string | undefined {
  if (before.type === 'text') return undefined;
  if (before.type === 'element') {
    if (after?.type !== 'element' || before.tagName !== after.tagName)
      return `has the element <${before.tagName}>, which is not allowed`;
    for (const [name, value] of Object.entries(before.properties ?? {})) {
      if (value === undefined || value === null) continue;
      const kept = after.properties?.[name];
      if (!isDeepStrictEqual(value, kept)) return attributeFault(before.tagName ?? '', name, value);
    }
  }
  const kept = (after?.children ?? []).filter(isShown);
  for (const [at, child] of (before.children ?? []).filter(isShown).entries()) {
    const fault = firstDifference(child, kept[at]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function attributeFault(element: string, attribute: string, value: unknown): string {
  if (attribute === 'href' || attribute === 'src' || attribute === 'cite' || attribute === 'longDesc')
    return `has the address ${JSON.stringify(String(value).slice(0, 80))}, whose scheme is not allowed`;
  return `has the attribute ${attribute} of <${element}>, which is not allowed`;
}
