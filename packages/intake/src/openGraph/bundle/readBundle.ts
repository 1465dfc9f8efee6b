/**
 * Builds one definition from the files of a bundle. All errors are reported at once, each with its file and
 * position.
 *
 * Rule: `docs/extensions.md#bundles`.
 */
import { measureJson } from '@clew/common';
import { jsonFault, parseJson } from '@clew/model';
import type { PlaceOf } from '../extensions/faults.ts';
import { isObject } from '../extensions/members.ts';
import {
  commonFolder,
  isHidden,
  KNOWN_PLACES,
  PART_NAMES,
  type PartName,
  placeOfFile,
} from './bundleParts.ts';

export interface BundleFile {
  /** Path in the bundle, with slashes. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A definition to validate. */
export interface GivenDefinition {
  /** Absent if it cannot be read. */
  readonly document?: unknown;
  /** Absent for a document that was sent directly. */
  readonly files?: BundleFiles;
}

export interface BundleFiles {
  /** Errors of the files themselves. */
  readonly faults: readonly string[];
  /** Maps a JSON pointer of the document to its place, for messages. */
  readonly placeOf?: PlaceOf;
  /** Test data by path in the bundle. */
  readonly samples?: ReadonlyMap<string, Uint8Array>;
}

export const BUNDLE_LIMITS = { files: 2000, bytes: 20 * 1024 * 1024, depth: 64, values: 200_000 };

interface Placed {
  readonly file: string;
  /** JSON pointer within the file; empty for the whole file. */
  readonly pointer: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @param found errors of files that are not in the list */
export function readBundleFiles(
  given: readonly BundleFile[],
  found: readonly string[] = [],
): GivenDefinition & { readonly files: BundleFiles } {
  const files = given.filter(({ name }) => !isHidden(name));
  const faults = [...found];
  const folder = commonFolder(files.map(({ name }) => name));
  const names = new Map<string, string>();
  const samples = new Map<string, Uint8Array>();
  const parts = new Map<PartName, { readonly value: unknown; readonly placed: Placed }[]>();
  let definition: { readonly file: string; readonly json: unknown } | undefined;
  let hasDefinition = false;
  for (const { name: file, bytes } of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const place = placeOfFile(file.slice(folder.length));
    if (place.type === 'other') continue;
    const fault = (message: string): number => faults.push(`${file}: ${message}`);
    // Some file systems cannot distinguish names that differ only in case or Unicode normalization.
    const key = file.normalize('NFC').toLowerCase();
    const other = names.get(key);
    if (other !== undefined) {
      fault(
        other === file ? 'occurs twice in the bundle' : `has a name that some file systems treat as ${other}`,
      );
      continue;
    }
    names.set(key, file);
    if (place.type === 'sample') {
      samples.set(file.slice(folder.length), bytes);
      continue;
    }
    if (place.type === 'unknown') {
      fault(`belongs to no part of a bundle: ${KNOWN_PLACES}`);
      continue;
    }
    if (place.type === 'definition') {
      if (hasDefinition) fault('is a second definition: a bundle has only one');
      hasDefinition = true;
    }
    const json = jsonOf(bytes);
    if ('fault' in json) fault(json.fault);
    else if (place.type === 'definition') definition ??= { file, json: json.value };
    else
      for (const one of entriesOf(place.part, json.value))
        partOf(parts, place.part).push({ value: one.value, placed: { file, pointer: one.pointer } });
  }
  if (!hasDefinition) faults.push('schema.json: is missing: it contains the definition of the extension');
  if (definition === undefined) return { files: { faults, samples } };
  const { document, places } = merged(definition.json, parts);
  return { document, files: { faults, samples, placeOf: placer(definition.file, places) } };
}

function jsonOf(bytes: Uint8Array): { readonly value: unknown } | { readonly fault: string } {
  const { depth, values } = measureJson(bytes);
  if (depth > BUNDLE_LIMITS.depth) return { fault: 'is nested too deeply' };
  if (values > BUNDLE_LIMITS.values) return { fault: `has more than ${BUNDLE_LIMITS.values} values` };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { fault: 'is not valid UTF-8' };
  }
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return { fault: `is not JSON: ${jsonFault(text, error)}` };
  }
}

/** A file contains one entry or a list of entries; icons have the format of custom nodes. */
function entriesOf(
  part: PartName,
  json: unknown,
): readonly { readonly value: unknown; readonly pointer: string }[] {
  if (part === 'icons' && isObject(json) && isObject(json.custom_types))
    return Object.entries(json.custom_types).map(([kind, look]) => {
      // Custom nodes also name the type of the icon, which is always Font Awesome.
      const { type: _, ...icon } = isObject(look) && isObject(look.icon) ? look.icon : {};
      return {
        value: { ...icon, kind },
        pointer: `/custom_types/${kind.replaceAll('~', '~0').replaceAll('/', '~1')}/icon`,
      };
    });
  if (!Array.isArray(json)) return [{ value: json, pointer: '' }];
  return json.map((value, at) => ({ value, pointer: `/${at}` }));
}

function partOf<Value>(parts: Map<PartName, Value[]>, part: PartName): Value[] {
  const known = parts.get(part) ?? [];
  parts.set(part, known);
  return known;
}

/** Appends the entries of the files to the definition. @returns the definition, and the place of each appended entry */
function merged(
  json: unknown,
  parts: ReadonlyMap<PartName, readonly { readonly value: unknown; readonly placed: Placed }[]>,
): { readonly document: unknown; readonly places: ReadonlyMap<string, Placed> } {
  const places = new Map<string, Placed>();
  if (!isObject(json)) return { document: json, places };
  const document: Record<string, unknown> = { ...json };
  for (const part of PART_NAMES) {
    const entries = parts.get(part);
    if (entries === undefined) continue;
    const own = json[part] ?? [];
    // A member that is not a list remains an error of the definition.
    const before: readonly unknown[] = Array.isArray(own) ? own : [own];
    document[part] = [...before, ...entries.map(({ value }) => value)];
    for (const [at, { placed }] of entries.entries()) places.set(`/${part}/${before.length + at}`, placed);
    if (!Array.isArray(own)) places.set(`/${part}/0`, { file: '', pointer: `/${part}` });
  }
  return { document, places };
}

const placer =
  (definition: string, places: ReadonlyMap<string, Placed>) =>
  (pointer: string): string => {
    const [, part, at, ...rest] = pointer.split('/');
    const placed = places.get(`/${part}/${at}`);
    if (placed === undefined) return `${definition}#${pointer === '' ? '/' : pointer}`;
    const inside = `${placed.pointer}${rest.map((one) => `/${one}`).join('')}`;
    return `${placed.file || definition}#${inside === '' ? '/' : inside}`;
  };
