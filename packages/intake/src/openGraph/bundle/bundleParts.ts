/** Maps the files of a bundle to the members of the definition. Rule: `docs/extensions.md#bundles`. */

/** Members of a definition that may be separate files. */
export const PART_NAMES = [
  ...['relationship_findings', 'privilege_zone_rules', 'node_findings', 'derived_relationships'],
  ...['identities', 'repairs', 'saved_searches', 'icons', 'tests'],
] as const;
export type PartName = (typeof PART_NAMES)[number];

/** Names of the definition itself; a bundle has exactly one of them. */
const DEFINITIONS: ReadonlySet<string> = new Set(['schema.json', 'definition.json', 'extension.json']);

/** Folders by name; some published extensions use other names. */
const FOLDERS: Readonly<Record<string, PartName>> = {
  ...(Object.fromEntries(PART_NAMES.map((part) => [part, part])) as Record<PartName, PartName>),
  checks: 'node_findings',
  'saved-queries': 'saved_searches',
  'pz-rules': 'privilege_zone_rules',
};
/** Folder with test data, as collectors write it. */
const SAMPLES = 'samples/';

export type FilePlace =
  | { readonly type: 'definition' }
  | { readonly type: 'part'; readonly part: PartName }
  | { readonly type: 'sample' }
  /** Texts and pictures, which are ignored. */
  | { readonly type: 'other' }
  | { readonly type: 'unknown' };

/** @param name path relative to the folder of the definition */
export function placeOfFile(name: string): FilePlace {
  if (!/\.json$/i.test(name)) return { type: 'other' };
  if (DEFINITIONS.has(name)) return { type: 'definition' };
  if (name.startsWith(SAMPLES)) return { type: 'sample' };
  if (name === 'icons.json') return { type: 'part', part: 'icons' };
  const [folder, ...rest] = name.split('/');
  const part = Object.hasOwn(FOLDERS, folder) ? FOLDERS[folder] : undefined;
  return part === undefined || rest.length !== 1 ? { type: 'unknown' } : { type: 'part', part };
}

export const isHidden = (name: string): boolean =>
  name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');

/** Lists the supported places in messages about an unknown file. */
export const KNOWN_PLACES = `schema.json, icons.json and the folders ${[...Object.keys(FOLDERS), 'samples'].sort().join(', ')}`;

/** @returns the common folder of all files, if it contains the definition; published archives have such a folder */
export function commonFolder(names: readonly string[]): string {
  const definition = names.filter((name) => DEFINITIONS.has(name.slice(name.lastIndexOf('/') + 1)));
  if (definition.length === 0) return '';
  const shortest = definition.reduce((a, b) => (b.split('/').length < a.split('/').length ? b : a));
  const folder = shortest.slice(0, shortest.lastIndexOf('/') + 1);
  return names.every((name) => name.startsWith(folder)) ? folder : '';
}
