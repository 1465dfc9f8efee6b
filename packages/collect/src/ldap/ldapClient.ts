/**
 * A read-only LDAP client for Active Directory. It implements only bind, search, StartTLS and unbind, and never sends a password over an
 * unencrypted connection.
 */
import { type Control, nextPage, pagedResults } from './controls.ts';
import { LdapConnection, type LdapTarget, type SecurityLayer } from './ldapConnection.ts';
import {
  type Entry,
  readEntry,
  type SearchRequest,
  saslBindRequest,
  searchRequest,
  serverToken,
  simpleBindRequest,
} from './messages.ts';
import { LDAP_RESULT, LdapError, resultError } from './results.ts';

export interface Search extends SearchRequest {
  readonly controls?: readonly Control[];
  /** Objects per page; Windows controllers limit it to 1,000. */
  readonly pageSize?: number;
  /** Called after each page. @param entries read so far */
  readonly onPage?: (entries: number) => void;
}

/** A step of a SASL sign-in: a token to send, or the end with the negotiated layer. */
export type SaslStep = { readonly token: Buffer } | { readonly security: SecurityLayer | undefined };

const DEFAULT_PAGE = 1_000;
/** Number of buffered entries before the server is paused. */
const MAX_WAITING_ENTRIES = 64;
/** Maximum time of a page, however steadily its entries arrive. */
const MAX_PAGE_MS = 15 * 60_000;
/** Maximum number of consecutive empty pages, which a filter without matches may cause. */
const MAX_EMPTY_PAGES = 1_000;
/** More than the number of objects in the largest forests. */
const MAX_ENTRIES = 50_000_000;
const MAX_COOKIE_BYTES = 2 ** 20;
/** Maximum number of values of one attribute in all ranges, enough for the largest groups. */
const MAX_RANGED_VALUES = 2_000_000;
const MAX_SASL_STEPS = 6;

export class LdapClient {
  readonly connection: LdapConnection;

  /** @throws Error with the controller's name and the remedy */
  static async open(target: LdapTarget): Promise<LdapClient> {
    return new LdapClient(await LdapConnection.open(target));
  }

  private constructor(connection: LdapConnection) {
    this.connection = connection;
  }

  get host(): string {
    return this.connection.host;
  }

  /** @throws LdapError with code 49 for a wrong password, which must not be tried again at any controller */
  async bindWithPassword(name: string, password: string): Promise<void> {
    if (!this.connection.isEncrypted)
      throw new Error(
        'passwords are not sent over an unencrypted connection: use LDAPS, StartTLS, or Kerberos',
      );
    if (name === '' || password === '')
      throw new Error('without a name and a password, the domain controller would sign in an anonymous user');
    await this.#signIn(async () => {
      const { code, body } = await this.connection.ask(simpleBindRequest(name, password));
      if (code !== LDAP_RESULT.success) throw resultError(code, body, this.#signInName);
    });
  }

  /** @param step called with the server's last token; undefined for the first step */
  async bindWithSasl(mechanism: string, step: (token: Buffer | undefined) => SaslStep): Promise<void> {
    await this.#signIn(async () => {
      let token: Buffer | undefined;
      for (let count = 0; count < MAX_SASL_STEPS; count += 1) {
        const next = step(token);
        if ('security' in next) {
          if (next.security !== undefined) this.connection.seal(next.security);
          return;
        }
        const { code, body } = await this.connection.ask(saslBindRequest(mechanism, next.token));
        if (code !== LDAP_RESULT.success && code !== LDAP_RESULT.saslInProgress)
          throw resultError(code, body, this.#signInName);
        token = serverToken(body) ?? Buffer.alloc(0);
      }
      throw new Error(`${this.#signInName}: the domain controller requires too many steps`);
    });
  }

  get #signInName(): string {
    return `sign-in at ${this.host}`;
  }

  /** A connection is useless after a failed sign-in, and its socket would keep the process alive. */
  async #signIn(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.connection.destroy(error as Error);
      throw error;
    }
  }

  /**
   * Entries page by page; while one is used, the server is paused.
   * @throws LdapError for a result other than success, and for a silent server
   */
  async *search(search: Search): AsyncGenerator<Entry> {
    let cookie: Buffer = Buffer.alloc(0);
    let total = 0;
    let emptyPages = 0;
    do {
      const before = total;
      const page = new PageReader(this.connection, search, cookie);
      for await (const entry of page.entries()) {
        total += 1;
        if (total > MAX_ENTRIES) throw new Error(`${this.host} returns more than ${MAX_ENTRIES} objects`);
        yield entry;
      }
      cookie = search.scope === 'base' ? Buffer.alloc(0) : page.cookie;
      if (cookie.length > MAX_COOKIE_BYTES)
        throw new Error(`${this.host} returns a page cookie of ${cookie.length} bytes`);
      emptyPages = total === before ? emptyPages + 1 : 0;
      if (emptyPages > MAX_EMPTY_PAGES) throw new Error(`${this.host} returns endless pages without objects`);
      search.onPage?.(total);
    } while (cookie.length > 0);
  }

  /** For searches with few results. */
  async searchAll(search: Search): Promise<Entry[]> {
    const entries: Entry[] = [];
    for await (const entry of this.search(search)) entries.push(entry);
    return entries;
  }

  /** @returns undefined if the object does not exist */
  async readObject(
    base: string,
    attributes: readonly string[],
    controls?: readonly Control[],
  ): Promise<Entry | undefined> {
    try {
      const [entry] = await this.searchAll({ base, scope: 'base', attributes, controls });
      return entry;
    } catch (error) {
      if (error instanceof LdapError && error.code === LDAP_RESULT.noSuchObject) return undefined;
      throw error;
    }
  }

  /**
   * Values of an attribute that a controller returns in ranges (MS-ADTS 3.1.1.3.1.3.3), in blocks.
   * @param from number of known values
   */
  async *valueRanges(
    dn: string,
    attribute: string,
    from: number,
    controls?: readonly Control[],
  ): AsyncGenerator<readonly Buffer[]> {
    for (let at = from; at <= MAX_RANGED_VALUES; ) {
      const entry = await this.readObject(dn, [`${attribute};range=${at}-*`], controls);
      const found = rangeOf(entry, attribute);
      // The object or the attribute may have been removed in between.
      if (found === undefined || found.values.length === 0) return;
      if (found.first !== at)
        throw new Error(`${this.host} returns values from ${found.first} on, instead of ${at}`);
      yield found.values;
      if (found.isLast) return;
      at += found.values.length;
    }
    throw new Error(`${dn} has more than ${MAX_RANGED_VALUES} values of ${attribute}`);
  }

  close(): void {
    this.connection.close();
  }
}

export interface ValueRange {
  readonly values: readonly Buffer[];
  /** Position of the first value among all values. */
  readonly first: number;
  readonly isLast: boolean;
}

/** The range of an attribute that an entry has as `name;range=0-1499`; undefined if it is complete or missing. */
export function rangeOf(entry: Entry | undefined, attribute: string): ValueRange | undefined {
  const prefix = `${attribute.toLowerCase()};range=`;
  for (const [name, values] of entry?.attributes ?? []) {
    const [, first, last] = name.startsWith(prefix)
      ? (/^(\d+)-(\d+|\*)$/.exec(name.slice(prefix.length)) ?? [])
      : [];
    if (first !== undefined) return { values, first: Number(first), isLast: last === '*' };
  }
  return undefined;
}

/** Reads one page of a search. */
class PageReader {
  /** The cookie of the next page, known at the end. */
  cookie: Buffer = Buffer.alloc(0);
  readonly #connection: LdapConnection;
  readonly #queue: Entry[] = [];
  readonly #id: number;
  #count = 0;
  #isDone = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(connection: LdapConnection, search: Search, cookie: Buffer) {
    this.#connection = connection;
    const { controls = [], pageSize = DEFAULT_PAGE } = search;
    const paging = search.scope === 'base' ? [] : [pagedResults(pageSize, cookie)];
    this.#id = connection.send(searchRequest(search), [...controls, ...paging], {
      entry: (body) => {
        this.#count += 1;
        if (this.#count > pageSize)
          throw new Error(`${connection.host} returns more than ${pageSize} objects per page`);
        this.#queue.push(readEntry(body));
        this.#wake?.();
        return this.#queue.length < MAX_WAITING_ENTRIES;
      },
      done: ({ code, body, controls: given }) => {
        if (code === LDAP_RESULT.success) this.cookie = nextPage(given);
        else this.#failure = resultError(code, body, `search at ${connection.host} below "${search.base}"`);
        this.#isDone = true;
        this.#wake?.();
      },
      fail: (error) => this.#fail(error),
    });
  }

  async *entries(): AsyncGenerator<Entry> {
    let waited = 0;
    try {
      for (;;) {
        for (let entry = this.#queue.shift(); entry !== undefined; entry = this.#queue.shift()) yield entry;
        if (this.#failure !== undefined) throw this.#failure;
        if (this.#isDone) return;
        this.#connection.resume();
        if (this.#queue.length > 0 || this.#isDone || this.#failure !== undefined) continue;
        const since = performance.now();
        await this.#next();
        waited += performance.now() - since;
        if (waited > MAX_PAGE_MS)
          throw new Error(
            `${this.#connection.host} needs more than ${MAX_PAGE_MS / 60_000} minutes for a page`,
          );
      }
    } finally {
      this.#connection.forget(this.#id);
      this.#connection.resume();
    }
  }

  /** Waits for the next entry or the end. Only waiting time counts as the server's silence. */
  async #next(): Promise<void> {
    const silence = setTimeout(() => this.#fail(this.#connection.silenceError()), this.#connection.silenceMs);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
    clearTimeout(silence);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }
}
