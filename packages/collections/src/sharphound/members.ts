/**
 * Tolerant access to the members of an object: a missing member equals `null`, names match case-insensitively, and only a member of the
 * wrong JSON type itself is lost.
 *
 * Rule: `docs/reference/collections.md#text-and-values` and `docs/reference/collections.md#objects`. The reference implementation drops the
 * rest of the file at a member of the wrong type; for defenders, reading as much as possible is better.
 */
import { member } from '../json/member.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { idFault, isIdText, type Principal, principalKind } from './principal.ts';
import type { Problems } from './problems.ts';
import { type Words, wordOf } from './words.ts';

export class Members {
  readonly json: JsonObject;
  readonly #path: string;
  readonly #problems: Problems;

  constructor(json: JsonObject, problems: Problems, path = '') {
    this.json = json;
    this.#path = path;
    this.#problems = problems;
  }

  /** Whether the collector wrote the member, even as `null`. */
  has(name: string): boolean {
    return member(this.json, name) !== undefined;
  }

  /** @returns the text; empty if missing */
  text(name: string): string {
    return this.#typed(name, 'text', (value) => typeof value === 'string') ?? '';
  }

  /** @returns the text as an object id; empty if missing */
  id(name: string): string {
    return this.text(name).toUpperCase();
  }

  /** @returns the word for a name or a number; an unknown value is reported as lost */
  word<Word extends string>(name: string, words: Words<Word>, further?: readonly Word[]): Word | undefined {
    const value = member(this.json, name);
    if (value === undefined || value === null || value === '') return undefined;
    const word = wordOf(value, words, further);
    if (word === undefined) this.#problems.lose(`"${this.#name(name)}" is not a known word`);
    return word;
  }

  flag(name: string): boolean | undefined {
    return this.#typed(name, 'true or false', (value) => typeof value === 'boolean');
  }

  number(name: string): number | undefined {
    return this.#typed(name, 'a number', (value) => typeof value === 'number');
  }

  texts(name: string): string[] | undefined {
    return this.#typed(name, 'a list of texts', (value) => isList(value) && value.every(isText));
  }

  /** @returns the entries; empty if the list is missing */
  list(name: string): readonly Json[] {
    return this.#typed<Json[]>(name, 'a list', isList) ?? [];
  }

  /** An empty list instead of an object equals `null`. */
  child(name: string): Members | undefined {
    const value = member(this.json, name);
    if (isList(value as Json) && (value as Json[]).length === 0) return undefined;
    const json = this.#typed<JsonObject>(name, 'an object', isObject);
    return json && new Members(json, this.#problems, this.#name(name));
  }

  /** @returns the entries that are objects @param readText reads a text entry; absent if none is expected */
  children(name: string, readText?: (text: string) => void): Members[] {
    const children: Members[] = [];
    for (const entry of this.list(name)) {
      if (isObject(entry)) children.push(new Members(entry, this.#problems, this.#name(name)));
      else if (readText !== undefined && typeof entry === 'string') readText(entry);
      else this.#problems.lose(`an entry of "${this.#name(name)}" is not an object`);
    }
    return children;
  }

  /** @returns the result of a remote collection, if `Collected` is true */
  collected(name: string): Members | undefined {
    const result = this.child(name);
    return result?.flag('Collected') === true ? result : undefined;
  }

  principal(name: string): Principal | undefined {
    return this.child(name)?.asPrincipal();
  }

  /** Some collectors list ids and service names without their kinds. */
  principals(name: string): Principal[] {
    const principals: Principal[] = [];
    const readText = (text: string): void => {
      const id = text.toUpperCase();
      const fault = idFault(id);
      if (fault !== undefined) this.#problems.note(`entries of "${this.#name(name)}" were skipped: ${fault}`);
      else if (id !== '') principals.push({ id, kind: 'Base' });
    };
    for (const child of this.children(name, readText)) {
      const principal = child.asPrincipal();
      if (principal !== undefined) principals.push(principal);
      else if (child.id('ObjectIdentifier') === '' && child.id('ObjectID') === '')
        this.#problems.note(`entries of "${this.#name(name)}" without an ID were skipped`);
    }
    return principals;
  }

  asPrincipal(): Principal | undefined {
    const kind = principalKind(member(this.json, 'ObjectType'));
    // Some collectors use another member name for the id of a former SID.
    const id = this.reference('ObjectIdentifier', kind) || this.reference('ObjectID', kind);
    return id === '' ? undefined : { id, kind };
  }

  /** @returns the text as an object id; empty if it is missing or not an id, which is noted */
  reference(name: string, kind?: string): string {
    const id = this.id(name);
    const fault = idFault(id, kind);
    if (fault === undefined) return id;
    this.#problems.note(`"${this.#name(name)}" was skipped: ${fault}`);
    return '';
  }

  /** @returns a reference in the form of an id; empty for a plain name, which is noted */
  idReference(name: string): string {
    const id = this.reference(name);
    if (id === '' || isIdText(id)) return id;
    this.#problems.note(`"${this.#name(name)}" was skipped: it contains a name instead of an ID`);
    return '';
  }

  #name(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  #typed<T extends Json>(name: string, wanted: string, fits: (value: Json) => boolean): T | undefined {
    const value = member(this.json, name);
    if (value === undefined || value === null) return undefined;
    if (fits(value)) return value as T;
    this.#problems.lose(`"${this.#name(name)}" is not ${wanted}`);
    return undefined;
  }
}

function isList(value: Json): value is Json[] {
  return Array.isArray(value);
}

function isText(value: Json): value is string {
  return typeof value === 'string';
}
