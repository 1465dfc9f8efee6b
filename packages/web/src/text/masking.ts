/**
 * Masked names: while names are masked, every shown, copied or saved text of the directory passes through {@link maskedText}.
 * Names are registered when answers of the service arrive, and get a pseudonym for the lifetime of the tab: `User 12`,
 * `DOMAIN-A`. Unregistered text in the form of a name is hidden as well.
 */
import { useSyncExternalStore } from 'react';

const KEY = 'clew.masked';
const HIDDEN = 'masked';
/** Maximum number of names in a session; beyond it, the registry restarts with the newest names. */
const MAX_NAMES = 200_000;

const listeners = new Set<() => void>();
let masked = (() => {
  try {
    return sessionStorage.getItem(KEY) === 'yes';
  } catch {
    return false;
  }
})();

/** Pseudonyms by name; names contain no invisible characters. */
const names = new Map<string, string>();
/** Names, keyed by the ids next to them in answers. */
const namesById = new Map<string, string>();
const domains = new Map<string, string>();
const counts = new Map<string, number>();
/** Number of words in the longest name. */
let longest = 1;

export const isMasked = (): boolean => masked;

export function setMasked(on: boolean): void {
  masked = on;
  try {
    if (on) sessionStorage.setItem(KEY, 'yes');
    else sessionStorage.removeItem(KEY);
  } catch {
    // The value is lost on reload.
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

/** Whether a text can be a domain: it contains a dot, or the service reported it as a domain. */
const isDomain = (text: string): boolean =>
  /^[\w-]+(?:\.[\w-]+)+$/.test(text) || domains.has(text.toUpperCase());

/** @param kind word for the kind, for the pseudonym */
export function learnName(name: string, kind: string): void {
  if (name === '' || names.has(name)) return;
  if (names.size >= MAX_NAMES) {
    names.clear();
    namesById.clear();
  }
  longest = Math.max(longest, wordsIn(name).length);
  if (kind === 'Domain' || kind === 'AZTenant') {
    domainName(name);
    return;
  }
  const at = name.lastIndexOf('@');
  const split = at > 0 ? at : kind === 'Computer' ? name.indexOf('.') : -1;
  const rest = split > 0 && isDomain(name.slice(split + 1)) ? name.slice(split + 1) : undefined;
  const word = kindWord(kind);
  const number = (counts.get(word) ?? 0) + 1;
  counts.set(word, number);
  const pseudonym = `${word} ${number}`;
  names.set(name, rest === undefined ? pseudonym : `${pseudonym}${name[split]}${placeName(rest, kind)}`);
}

/** `AZUser` is a user, and `ADLocalGroup` a local group. */
function kindWord(kind: string): string {
  const word = kind
    .replace(/^A[DZ](?=[A-Z][a-z])/, '')
    .replace(/[^A-Za-z]/g, ' ')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .trim();
  return word === '' ? 'Object' : word.charAt(0).toUpperCase() + word.slice(1);
}

/** The pseudonym for the second part of a name: the domain, or for a local group its computer. */
function placeName(rest: string, kind: string): string {
  if (kind === 'ADLocalGroup' && !domains.has(rest.toUpperCase())) learnName(rest, 'Computer');
  return names.get(rest) ?? domainName(rest);
}

/** @returns the pseudonym of an object while names are masked; `undefined` if no answer has named it yet */
export function pseudonymOf(id: string): string | undefined {
  const name = namesById.get(id);
  return name === undefined ? undefined : names.get(name);
}

const ID_FIELDS = ['object_id', 'objectid', 'objectId', 'objectID', 'objectGuid', 'nodetype'];
const NAME_FIELDS = ['name', 'label', 'displayname', 'distinguishedname', 'samaccountname', 'dnshostname'];

/** Names in an answer: of objects, whose ids are next to their names, and of environments. */
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
    if (isMachine(fields, field)) learnName(clean(one), 'Computer');
    else if (isEnvironment && field === 'name') learnName(clean(one), 'Domain');
    else if (isObject && NAME_FIELDS.includes(field)) {
      learnName(clean(one), kindIn(fields, one));
      if (field === 'name' || field === 'label')
        for (const id of idsIn(fields)) namesById.set(id, clean(one));
    } else if (
      field !== 'owner_name' &&
      field.endsWith('_name') &&
      typeof fields[`${field.slice(0, -5)}_id`] === 'string'
    )
      learnName(
        clean(one),
        field === 'environment_name' ? 'Domain' : textIn(fields[`${field.slice(0, -5)}_kind`]),
      );
  }
}

/** Machines of last writes and of transcripts, which have no id. */
const isMachine = (fields: Readonly<Record<string, unknown>>, field: string): boolean =>
  (field === 'controller' && 'attribute' in fields) ||
  ((field === 'host' || field === 'computer') && 'verdict' in fields);

const idsIn = (fields: Readonly<Record<string, unknown>>): readonly string[] =>
  ID_FIELDS.filter((field) => field !== 'nodetype')
    .flatMap((field) => fields[field])
    .filter(isText);

const isText = (value: unknown): value is string => typeof value === 'string';

const textIn = (value: unknown): string => (typeof value === 'string' ? value : 'Object');

/** Answers contain the kind of an object in several fields; lists contain it in a field that is a name elsewhere. */
function kindIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const kind = [fields.kind, fields.nodetype, fields.type, fields.primary_kind, fields.label].find(
    (one) => typeof one === 'string' && one !== name && one !== 'node',
  );
  return textIn(kind);
}

const SID = /(?:[\w.-]+-)?S-1-5-21(?:-\d+){3}(?:-(\d+))?|[A-Za-z][\w.]*-S-1-5-(\d+(?:-\d+)?)/g;
const GUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
const DISTINGUISHED = /\b(?:CN|OU|DC)=[^;|]*/gi;
/**
 * A domain after an at sign, with all preceding text that may belong to the name, because names contain spaces and
 * parentheses.
 */
const AT_DOMAIN = /[^@";|\t\n\u2192]*@(?:[\w-]+(?:\.[\w-]+)+|DOMAIN-[A-Z]+)/g;
/** Pseudonyms in an already masked text. */
const MASKED_BEFORE = /[A-Z][A-Za-z ]* \d+[@.]DOMAIN-[A-Z]+(?![\w-])/g;
/** Delimit masked parts while the rest of a text is processed. */
const [OPEN, CLOSE] = ['\ue001', '\ue002'];
const MARKS = /[\ue001\ue002]/g;
const marked = (text: string): string => OPEN + text + CLOSE;
/** Capitalized terms that may precede a name in sentences without belonging to it. */
const TERMS = new Set(
  'CA OU GPO GPOS DC DCS AD CS LDAP LDAPS NTLM SMB HTTP HTTPS RPC MFA RBCD LAPS DNS SPN SPNS UPN'.split(' '),
);
/** Words in capitals before a known name may belong to a longer, unknown name. */
const CAPITALS_BEFORE =
  /(?<=^|\s)(?:[^\s\p{Ll}\ue001\ue002]*\p{Lu}[^\s\p{Ll}\ue001\ue002]* )+(?=\ue001[^\ue002]*@)/gu;

/** Ids of objects that exist in every domain, which do not reveal the domain. */
const isWellKnown = (rid: string | undefined): boolean => rid !== undefined && Number(rid) < 1000;

/** @param text cleaned @returns the text to show while names are masked */
export function maskedText(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  let shown = text.replace(MARKS, '').replace(MASKED_BEFORE, marked);
  shown = besideMarks(shown, replaceNames).replace(CAPITALS_BEFORE, hideCapitals);
  for (const hide of [hideIds, hideDomains, hideAtDomain]) shown = besideMarks(shown, hide);
  return shown.replace(MARKS, '');
}

/** @param words in capitals, each followed by a space */
function hideCapitals(words: string): string {
  const all = words.trimEnd().split(' ');
  const unknown = all.findIndex((word) => !TERMS.has(word));
  return unknown < 0 ? words : [...all.slice(0, unknown), HIDDEN, ''].join(' ');
}

/** Changes only text that is not masked yet. */
const besideMarks = (text: string, change: (part: string) => string): string =>
  text
    .split(/(\ue001[^\ue002]*\ue002)/)
    .map((part) => (part.startsWith(OPEN) ? part : change(part)))
    .join('');

const hideAtDomain = (text: string): string =>
  text.replace(AT_DOMAIN, (name) => (/^\s/.test(name) ? ` ${HIDDEN}` : HIDDEN));

const hideIds = (text: string): string =>
  text
    .replace(DISTINGUISHED, HIDDEN)
    .replace(SID, (_, rid: string | undefined, builtIn: string | undefined) =>
      builtIn !== undefined ? `S-1-5-${builtIn}` : `S-1-5-21-…${isWellKnown(rid) ? `-${rid}` : ''}`,
    )
    .replace(GUID, 'id…');

function hideDomains(text: string): string {
  let shown = text;
  for (const [domain, pseudonym] of domains) {
    if (!shown.toUpperCase().includes(domain)) continue;
    const escaped = domain.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    // A single-word domain may occur inside other words.
    const pattern = domain.includes('.')
      ? `(?:[\\w-]+\\.)*${escaped}`
      : `(?<![A-Za-z0-9-])(?:[\\w-]+\\.)*${escaped}(?![A-Za-z0-9-])`;
    shown = shown.replace(new RegExp(pattern, 'gi'), pseudonym);
  }
  return shown;
}

const WORD = /[^\s"',;:()<>]+/g;
const wordsIn = (text: string): readonly RegExpExecArray[] => [...text.matchAll(WORD)];
/** Characters next to a word that may belong to a name: `SALES (EU)`. */
const SIGNS_BEFORE = /[^\s\w]{1,3}$/;
const SIGNS_BEHIND = /^[^\s\w]{1,3}/;

/** Replaces names in a sentence, the longest at each word. */
function replaceNames(text: string): string {
  const words = wordsIn(text);
  const out: string[] = [];
  let done = 0;
  for (let first = 0; first < words.length; first++) {
    if (words[first]!.index < done) continue;
    const found = nameAt(text, words, first, done);
    if (found === undefined) continue;
    out.push(text.slice(done, found.start), marked(found.pseudonym));
    done = found.end;
  }
  return out.join('') + text.slice(done);
}

function nameAt(text: string, words: readonly RegExpExecArray[], first: number, done: number) {
  const start = words[first]!.index;
  const before = SIGNS_BEFORE.exec(text.slice(Math.max(done, start - 3), start))?.[0].length ?? 0;
  for (let last = Math.min(first + longest, words.length) - 1; last >= first; last--) {
    const word = words[last]!;
    const end = word.index + word[0].length;
    const behind = SIGNS_BEHIND.exec(text.slice(end, end + 3))?.[0].length ?? 0;
    // Punctuation at the end of a sentence is part of the last word.
    const inside = /[.!?…]*$/.exec(word[0])![0].length;
    for (let from = start - before; from <= start; from++)
      for (let to = end + behind; to >= end - inside; to--) {
        const pseudonym = to > from ? names.get(text.slice(from, to)) : undefined;
        if (pseudonym !== undefined) return { start: from, end: to, pseudonym };
      }
  }
  return undefined;
}

/** Members of answers with settings and properties, which may contain any text of the directory. */
const VALUE_FIELDS = ['properties', 'before', 'after', 'now', 'wanted', 'value'];

/** @returns the same data with masked texts, for a file @param isValue whether texts are shown only if they are names */
export function maskedData(data: unknown, isValue = false): unknown {
  if (typeof data === 'string') return isValue ? maskedValue(data) : maskedText(data);
  if (Array.isArray(data)) return data.map((one) => maskedData(one, isValue));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([field, one]) => [
      /^\w+$/.test(field) ? field : maskedText(field),
      maskedData(one, isValue || VALUE_FIELDS.includes(field)),
    ]),
  );
}

/** Masks a value of a property or query: only values that are not texts of the directory are shown. */
export function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return names.get(value) ?? (value === '' ? '' : HIDDEN);
  if (Array.isArray(value)) return value.map(maskedValue);
  if (typeof value === 'object' && value !== null) return HIDDEN;
  return value;
}
