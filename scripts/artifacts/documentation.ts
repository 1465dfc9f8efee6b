/** The documentation in release files: pages, the pictures that they show, and the files for deployments and examples. */
import { cpSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Paths in the root of a release. An npm package lists them. */
export const DOCUMENTATION = [
  ...['README.md', 'CHANGELOG.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'LICENSE', 'SECURITY.md'],
  ...['deploy', 'docs', 'examples'],
];

/** Pictures of every page take ten times the space of all texts: a release has only those that a text shows. */
const isPicture = (path: string): boolean => path.endsWith('.png');

const LINK = /\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)\s]*)?\)/g;

/** @returns paths to which a page links, relative to the root */
export const linksOf = (page: string, text: string): string[] =>
  [...text.matchAll(LINK)].map(([, , target]) => normalize(join(dirname(page), target as string)));

/** Links to sources, which a release does not have, become plain text. @param root of the repository */
export function copyDocumentation(root: string, out: string): void {
  const paths = DOCUMENTATION.flatMap((path) =>
    statSync(join(root, path)).isDirectory() ? globSync(`${path}/**`, { cwd: root }) : [path],
  ).filter((path) => statSync(join(root, path)).isFile());
  const pages = paths.filter((path) => path.endsWith('.md'));
  const texts = new Map(pages.map((page) => [page, readFileSync(join(root, page), 'utf8')]));
  const shown = new Set([...texts].flatMap(([page, text]) => linksOf(page, text)));
  for (const path of paths) {
    if (isPicture(path) && !shown.has(path)) continue;
    mkdirSync(dirname(join(out, path)), { recursive: true });
    const text = texts.get(path);
    if (text === undefined) cpSync(join(root, path), join(out, path));
    else writeFileSync(join(out, path), withoutSources(path, text));
  }
}

const withoutSources = (page: string, text: string): string =>
  text.replace(LINK, (link, words: string) =>
    linksOf(page, link).some((target) => target.startsWith('packages/')) ? words : link,
  );
