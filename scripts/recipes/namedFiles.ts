/** The files that a recipe of CONTRIBUTING lists. */

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * @param recipe its name, as in "**A table**"
 * @returns patterns: `<part>` is any word, a folder includes all its files; a name alone is a file in the folder listed before it
 */
export function namedFiles(contributing: string, recipe: string): readonly RegExp[] {
  const from = contributing.indexOf(`**${recipe}**`);
  if (from < 0) throw new Error(`CONTRIBUTING has no recipe "${recipe}"`);
  const rest = contributing.slice(from + recipe.length + 4);
  const text = rest.slice(0, rest.search(/^(?:\*\*|## )/m));
  let folder = '';
  return [...text.matchAll(/`([^`\s]+)`/g)].flatMap(([, name = '']) => {
    if (!/\/|\.(?:ts|tsx|md|txt)$/.test(name)) return [];
    const path = pathOf(name, folder);
    folder = path.slice(0, path.lastIndexOf('/') + 1);
    const pattern = escaped(path).replaceAll(/<\w+>|NNN-<name>/g, '[\\w-]+');
    return [new RegExp(`^${pattern.replace('NNN', '\\d{3}')}${path.endsWith('/') ? '.*' : ''}$`)];
  });
}

function pathOf(name: string, folder: string): string {
  if (/^(?:packages|docs|scripts)\//.test(name)) return name;
  // `migrations/index.ts` is relative to `packages/store/src/migrations/`.
  const shared = name.includes('/') ? folder.lastIndexOf(`/${name.split('/')[0]}/`) : -1;
  return `${shared < 0 ? folder : folder.slice(0, shared + 1)}${name}`;
}
