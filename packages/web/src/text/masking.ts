/**
 * Masked names: while they are masked, every text of the directory that is shown, copied or saved passes {@link maskedText}.
 * Names are learned from the answers of the service as these come, and get a pseudonym that stays for the tab: `User 12`,
 * `DOMAIN-A`. What is not known to be a name, but has the form of one, is hidden as well.
 */
import { useSyncExternalStore } from 'react';

const KEY = 'clew.masked';
const HIDDEN = 'masked';
/** Names have no more words than this. */
const MAX_WORDS = 12;
/** A long session over a large directory keeps this many names; then it begins again with the newest. */
const MAX_NAMES = 200_000;

const listeners = new Set<() => void>();
let masked = (() => {
  try {
    return sessionStorage.getItem(KEY) === 'yes';
  } catch {
    return false;
  }
})();

/** Pseudonyms by name, names cleaned of what is invisible. */
const names = new Map<string, string>();
const domains = new Map<string, string>();
const counts = new Map<string, number>();
let longest = 1;

export const isMasked = (): boolean => masked;

export function setMasked(on: boolean): void {
  masked = on;
  try {
    if (on) sessionStorage.setItem(KEY, 'yes');
    else sessionStorage.removeItem(KEY);
  } catch {
    // It lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export const useMasked = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => masked,
  );

/** `A` to `Z`, then `AA`. */
function letters(number: number): string {
  const rest = Math.floor(number / 26);
  return (rest === 0 ? '' : letters(rest - 1)) + String.fromCharCode(65 + (number % 26));
}

function domainName(domain: string): string {
  const key = domain.toUpperCase();
  let found = domains.get(key);
  if (found === undefined) {
    found = `DOMAIN-${letters(domains.size)}`;
    domains.set(key, found);
    names.set(domain, found);
  }
  return found;
}

/** @param kind word of the kind, for the pseudonym */
export function learnName(name: string, kind: string): void {
  if (name === '' || names.has(name)) return;
  if (names.size >= MAX_NAMES) names.clear();
  longest = Math.min(MAX_WORDS, Math.max(longest, name.split(' ').length));
  if (kind === 'Domain' || kind === 'AZTenant') {
    domainName(name);
    return;
  }
  const at = name.lastIndexOf('@');
  const dot = kind === 'Computer' ? name.indexOf('.') : -1;
  const split = at > 0 ? at : dot;
  const domain = split > 0 && split < name.length - 1 ? name.slice(split + 1) : undefined;
  const number = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, number);
  const word = kind.replace(/^AZ/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  const pseudonym = `${word === '' ? 'Object' : word} ${number}`;
  names.set(name, domain === undefined ? pseudonym : `${pseudonym}${name[split]}${domainName(domain)}`);
}

const ID_FIELDS = ['object_id', 'objectid', 'objectId', 'objectID', 'objectGuid', 'nodetype'];
const NAME_FIELDS = ['name', 'label', 'displayname', 'distinguishedname', 'samaccountname', 'dnshostname'];

/** Names in an answer: of objects, which have ids beside their names, and of environments. */
export function learnNames(value: unknown, clean: (text: string) => string): void {
  if (Array.isArray(value)) {
    for (const one of value) learnNames(one, clean);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Readonly<Record<string, unknown>>;
  const isObject = ID_FIELDS.some((field) => typeof fields[field] === 'string');
  const isEnvironment = typeof fields.name === 'string' && 'collected' in fields;
  for (const [field, one] of Object.entries(fields)) {
    if (typeof one === 'object') learnNames(one, clean);
    if (typeof one !== 'string') continue;
    if (isEnvironment && field === 'name') learnName(clean(one), 'Domain');
    else if (isObject && NAME_FIELDS.includes(field)) learnName(clean(one), kindIn(fields, one));
    else if (field.endsWith('_name') && typeof fields[`${field.slice(0, -5)}_id`] === 'string')
      learnName(
        clean(one),
        field === 'environment_name' ? 'Domain' : textIn(fields[`${field.slice(0, -5)}_kind`]),
      );
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : 'Object');

/** Answers say the kind of an object in several fields; lists say it in the one that is the name elsewhere. */
function kindIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const kind = [fields.kind, fields.nodetype, fields.type, fields.primary_kind, fields.label].find(
    (one) => typeof one === 'string' && one !== name && one !== 'node',
  );
  return textIn(kind);
}

const SID = /(?:[\w.-]+-)?S-1-5-21(?:-\d+){3}(?:-(\d+))?|[A-Za-z][\w.]*-S-1-5-(\d+(?:-\d+)?)/g;
const GUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
const DISTINGUISHED = /\b(?:CN|OU|DC)=[^;|]*/gi;
const AT_DOMAIN = /[^\s@"'(),;]+@[\w-]+(?:\.[\w-]+)+/g;

/** Ids of objects of every domain: what says nothing about whose it is. */
const isWellKnown = (rid: string | undefined): boolean => rid !== undefined && Number(rid) < 1000;

/** @param text cleaned @returns what may be shown of it while names are masked */
export function maskedText(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  let shown = replaceNames(text);
  shown = shown
    .replace(DISTINGUISHED, HIDDEN)
    .replace(SID, (_, rid: string | undefined, builtIn: string | undefined) =>
      builtIn !== undefined ? `S-1-5-${builtIn}` : `S-1-5-21-…${isWellKnown(rid) ? `-${rid}` : ''}`,
    )
    .replace(GUID, 'id…')
    .replace(AT_DOMAIN, (name) => (/^[^@]*\d@DOMAIN-/.test(name) ? name : HIDDEN));
  for (const [domain, pseudonym] of domains) {
    if (!shown.toUpperCase().includes(domain)) continue;
    shown = shown.replace(
      new RegExp(`(?:[\\w-]+\\.)*${domain.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'gi'),
      pseudonym,
    );
  }
  return shown;
}

/** Names in a sentence: the longest first, word by word. */
function replaceNames(text: string): string {
  const parts = text.split(/([\s"',;:()<>\n\t]+)/);
  if (parts.length === 1) return text;
  const out: string[] = [];
  for (let at = 0; at < parts.length; ) {
    let found = 0;
    for (
      let words = Math.min(longest, Math.ceil((parts.length - at) / 2));
      words > 0 && found === 0;
      words--
    ) {
      const end = at + words * 2 - 1;
      const slice = parts.slice(at, end).join('');
      const bare = slice.replace(/[.!?…]+$/, '');
      const pseudonym = names.get(slice) ?? names.get(bare);
      if (pseudonym === undefined || bare === '') continue;
      out.push(pseudonym + (names.has(slice) ? '' : slice.slice(bare.length)));
      found = end - at;
    }
    if (found === 0) out.push(parts[at]!);
    at += Math.max(1, found);
  }
  return out.join('');
}

/** A value of a property or of a query: only what is no text of the directory is shown. */
export function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return names.get(value) ?? (value === '' ? '' : HIDDEN);
  if (Array.isArray(value)) return value.map(maskedValue);
  if (typeof value === 'object' && value !== null) return HIDDEN;
  return value;
}
