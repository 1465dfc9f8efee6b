/**
 * Reads members of an AzureHound item. The collector omits empty values from its JSON, so an absent member is the zero value of its type,
 * which is a fact (`docs/reference/azurehound.md#values`). A member of the wrong type invalidates the item.
 */
import type { PropertyValue } from '@clew/model';

export type Item = Readonly<Record<string, unknown>>;

/** The item cannot be converted; the message names the member and the reason, never its value. */
export class ItemError extends Error {
  override readonly name = 'ItemError';
}

export function isRecord(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the member, by exact name or else case-insensitively; `undefined` if absent or null */
export function member(item: Item, name: string): unknown {
  const exact = item[name];
  if (exact !== undefined) return exact ?? undefined;
  const lower = name.toLowerCase();
  for (const key in item) if (key.toLowerCase() === lower) return item[key] ?? undefined;
  return undefined;
}

/** @returns whether the item has the member, also as null: then its collector asked for it */
export function isSaid(item: Item, name: string): boolean {
  const lower = name.toLowerCase();
  return Object.keys(item).some((key) => key.toLowerCase() === lower);
}

/** @returns the text, '' if absent @throws ItemError for any other type */
export function text(item: Item, name: string): string {
  const value = member(item, name);
  if (value === undefined) return '';
  if (typeof value !== 'string') throw new ItemError(`${name} is not a text`);
  return value;
}

/** @returns the text in upper case, as ids and names are stored */
export function upper(item: Item, name: string): string {
  return text(item, name).toUpperCase();
}

/** @returns the boolean, false if absent @throws ItemError for any other type */
export function flag(item: Item, name: string): boolean {
  const value = member(item, name);
  if (value === undefined) return false;
  if (typeof value !== 'boolean') throw new ItemError(`${name} is not a boolean`);
  return value;
}

/** @returns the texts, [] if absent @throws ItemError if it is not a list of texts */
export function texts(item: Item, name: string): readonly string[] {
  const value = member(item, name);
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string')) {
    throw new ItemError(`${name} is not a list of texts`);
  }
  return value;
}

/** @returns the nested object, {} if absent @throws ItemError for any other type */
export function record(item: Item, name: string): Item {
  const value = member(item, name);
  if (value === undefined) return {};
  if (!isRecord(value)) throw new ItemError(`${name} is not an object`);
  return value;
}

/** @returns the objects in a list, [] if absent or null @throws ItemError if an entry is not an object */
export function records(item: Item, name: string): readonly Item[] {
  const value = member(item, name);
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.some((entry) => !isRecord(entry))) {
    throw new ItemError(`${name} is not a list of objects`);
  }
  return value;
}

/** @returns the id in upper case @throws ItemError if absent or empty */
export function id(item: Item, name: string): string {
  const value = upper(item, name);
  if (value === '') throw new ItemError(`${name} is missing`);
  return value;
}

/** "Never": stored for a missing or unreadable time (`docs/reference/azurehound.md#values`). */
const ZERO_TIME = '0001-01-01T00:00:00Z';
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** @returns the original ISO time, or the zero time */
export function time(item: Item, name: string): PropertyValue {
  const value = member(item, name);
  return typeof value === 'string' && ISO_UTC.test(value) ? value : ZERO_TIME;
}
