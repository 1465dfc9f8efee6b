/** Where the files of a bundle stand, and to which member of the definition each belongs. Rule: `docs/extensions.md#bundles`. */

/** Members of a definition that may be files of their own. */
export const PART_NAMES = [
  ...['relationship_findings', 'privilege_zone_rules', 'node_findings', 'derived_relationships'],
  ...['identities', 'repairs', 'saved_searches', 'icons', 'tests'],
] as const;
export type PartName = (typeof PART_NAMES)[number];

/** The definition itself; one of them. */
const DEFINITIONS: ReadonlySet<string> = new Set(['schema.json', 'definition.json', 'extension.json']);

/** Folders by their names; published extensions call some of them otherwise. */
const FOLDERS: Readonly<Record<string, PartName>> = {
  ...(Object.fromEntries(PART_NAMES.map((part) => [part, part])) as Record<PartName, PartName>),
  checks: 'node_findings',
  'saved-queries': 'saved_searches',
  'pz-rules': 'privilege_zone_rules',
};
/** Data of tests, which are files as collectors write them. */
const SAMPLES = 'samples/';

export type FilePlace =
  | { readonly type: 'definition' }
  | { readonly type: 'part'; readonly part: PartName }
  | { readonly type: 'sample' }
  /** Texts and pictures, which are not read. */
  | { readonly type: 'other' }
  | { readonly type: 'unknown' };

/** @param name path from the folder that has the definition */
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

/** The places that a message about an unknown file names. */
export const KNOWN_PLACES = `schema.json, icons.json and the folders ${[...Object.keys(FOLDERS), 'samples'].sort().join(', ')}`;

/** @returns the folder that all files are in, where the definition is in it; published archives have one */
export function commonFolder(names: readonly string[]): string {
  const definition = names.filter((name) => DEFINITIONS.has(name.slice(name.lastIndexOf('/') + 1)));
  if (definition.length === 0) return '';
  const shortest = definition.reduce((a, b) => (b.split('/').length < a.split('/').length ? b : a));
  const folder = shortest.slice(0, shortest.lastIndexOf('/') + 1);
  return names.every((name) => name.startsWith(folder)) ? folder : '';
}
