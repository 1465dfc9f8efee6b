/**
 * Principals of other domains of the forest that records refer to: the global catalog has their types and names (MS-ADTS 3.1.1.1.10). Only
 * principals that occur are looked up, and only in a forest with several domains.
 */
import { sidBytes } from '../descriptor/ids.ts';
import { readDescriptor } from '../descriptor/securityDescriptor.ts';
import { escapeFilterValue } from '../ldap/filter.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import type { Attributes, Entry } from '../ldap/messages.ts';
import type { ObjectType } from '../rights/wantedRights.ts';
import { domainOfDn, extendedName, sidOf, text, texts } from './entryValues.ts';
import { CONTROLLER_ACCOUNT, type KnownObjects, unlessDamaged } from './knownObjects.ts';
import type { Notes } from './notes.ts';
import { typeOf } from './objectType.ts';

/** A principal of another domain. */
export interface ForestPrincipal {
  readonly sid: string;
  readonly type: ObjectType;
  readonly dn: string;
  readonly account: string | undefined;
  readonly host: string | undefined;
  readonly name: string | undefined;
}

export interface CatalogParts {
  readonly known: KnownObjects;
  readonly notes: Notes;
  /** Signs in to a global catalog. @throws Error with the reason */
  readonly open: () => Promise<LdapClient>;
}

const ATTRIBUTES = ['objectClass', 'objectSid', 'name', 'sAMAccountName', 'sAMAccountType', 'dNSHostName'];
/** Ids per query. */
const MAX_ASKED = 100;
/** Primary groups of controllers (MS-SAMR 2.2.1.14). They are indexed, unlike bits: with bits a catalog would scan every object. */
const CONTROLLER_GROUPS = '(|(primaryGroupID=516)(primaryGroupID=521))';
const UNREAD = 'members of other domains of the forest whose kind is unknown';
const CONTROLLERS_UNREAD = 'domain controllers of other domains of the forest are unknown';
const CONTROLLERS_LEFT_OUT =
  'members of Enterprise Domain Controllers are omitted: the members of other domains of the forest are unknown';
const noAnswer = (lost: string): string => `the global catalog does not respond: ${lost}`;

export class ForestCatalog {
  /** Principals that records refer to, by SID. */
  readonly principals = new Map<string, ForestPrincipal>();
  readonly #parts: CatalogParts;
  /** SID prefixes of the other domains of the forest. */
  readonly #prefixes: readonly string[];
  readonly #asked = new Set<string>();
  #client: Promise<LdapClient | undefined> | undefined;

  constructor(parts: CatalogParts) {
    this.#parts = parts;
    this.#prefixes = parts.known.facts.others.filter(({ sid }) => sid !== '').map(({ sid }) => `${sid}-`);
  }

  /** Looks up the types of principals. Skips those of this domain or outside the forest. */
  async load(sids: Iterable<string>): Promise<void> {
    if (this.#prefixes.length === 0) return;
    const wanted = [...new Set(sids)].filter((sid) => !this.#asked.has(sid) && this.#isOfForest(sid));
    for (const sid of wanted) this.#asked.add(sid);
    const found = await this.#ask(wanted, (sid) => `(objectSid=${escapeFilterValue(sidBytes(sid))})`);
    const missing = wanted.filter((sid) => !found.has(sid));
    for (const sid of missing) this.#parts.notes.add(UNREAD, sid);
  }

  /** Looks up computers of other domains by full name. */
  async loadHosts(names: Iterable<string>): Promise<void> {
    const { hosts, facts } = this.#parts.known;
    const domains = facts.others.map(({ domain }) => `.${domain.toLowerCase()}`);
    const wanted = [...new Set([...names].map((name) => name.toLowerCase()))].filter(
      (name) => !hosts.has(name) && !this.#asked.has(name) && domains.some((domain) => name.endsWith(domain)),
    );
    for (const name of wanted) this.#asked.add(name);
    await this.#ask(wanted, (name) => `(dNSHostName=${escapeFilterValue(name)})`);
  }

  /** Looks up everything from other domains that an entry refers to, except in its access list. */
  async loadEntry(attributes: Attributes): Promise<void> {
    if (this.#prefixes.length === 0) return;
    await this.load(namedSids(attributes));
    await this.loadHosts(namedHosts(attributes));
  }

  /** @returns SIDs of the controllers of other domains; undefined if no catalog answers, which is noted */
  async controllers(): Promise<readonly string[] | undefined> {
    if (this.#prefixes.length === 0) return [];
    const { known, notes } = this.#parts;
    const filter = `(&${CONTROLLER_GROUPS}(userAccountControl:1.2.840.113556.1.4.803:=${CONTROLLER_ACCOUNT}))`;
    const sids = await this.#search(filter, CONTROLLERS_UNREAD);
    for (const sid of sids ?? []) this.#asked.add(sid);
    if (sids === undefined) notes.add(CONTROLLERS_LEFT_OUT, known.facts.forest);
    return sids;
  }

  async close(): Promise<void> {
    (await this.#client)?.close();
  }

  #isOfForest = (sid: string): boolean =>
    this.#prefixes.some((prefix) => sid.startsWith(prefix) && /^\d+$/.test(sid.slice(prefix.length)));

  async #ask(wanted: readonly string[], filterOf: (one: string) => string): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (let at = 0; at < wanted.length; at += MAX_ASKED) {
      const filter = `(|${wanted
        .slice(at, at + MAX_ASKED)
        .map(filterOf)
        .join('')})`;
      const sids = await this.#search(filter, UNREAD);
      if (sids === undefined) return found;
      for (const sid of sids) found.add(sid);
    }
    return found;
  }

  /**
   * A controller closes connections that are idle for long (`MaxConnIdleTime`, 900 s): a lost connection is opened again, once per query.
   * After two failures in a row, the catalog is not asked again.
   *
   * @param lost the information that is missing without an answer, for the note
   * @returns SIDs of principals of other domains; undefined without an answer
   */
  async #search(filter: string, lost: string): Promise<readonly string[] | undefined> {
    let failure = '';
    for (let tries = 0; tries < 2; tries += 1) {
      const client = await this.#open(lost);
      if (client === undefined) return undefined;
      try {
        const sids = new Set<string>();
        for await (const entry of client.search({ base: '', filter, attributes: ATTRIBUTES })) {
          const sid = this.#remember(entry);
          if (sid !== undefined) sids.add(sid);
        }
        return [...sids];
      } catch (error) {
        failure = (error as Error).message;
        client.close();
        this.#client = undefined;
      }
    }
    this.#client = Promise.resolve(undefined);
    this.#parts.notes.add(noAnswer(lost), failure);
    return undefined;
  }

  /** @returns the SID; undefined for an entry that is not a principal of another domain */
  #remember({ dn, attributes }: Entry): string | undefined {
    const { known } = this.#parts;
    let found: string | undefined;
    unlessDamaged(() => {
      const sid = sidOf(attributes);
      const type = typeOf(attributes, dn);
      if (type === undefined || type === 'Trust' || !this.#isOfForest(sid)) return;
      const host = text(attributes, 'dnshostname');
      const account = text(attributes, 'samaccountname');
      known.rememberType(sid, type);
      if (type === 'Computer' && host !== undefined) known.hosts.set(host.toLowerCase(), sid);
      this.principals.set(sid, { sid, type, dn, account, host, name: text(attributes, 'name') });
      found = sid;
    });
    return found;
  }

  /** Without a catalog, the domain is still read, with one note about the reason. */
  async #open(lost: string): Promise<LdapClient | undefined> {
    const { open, notes } = this.#parts;
    this.#client ??= open().catch((error: Error) => {
      notes.add(noAnswer(lost), error.message);
      return undefined;
    });
    return this.#client;
  }
}

const NAMES_OF_PRINCIPALS = ['member', 'msds-hostserviceaccount', 'msds-oidtogrouplink'];
const LISTS = ['msds-allowedtoactonbehalfofotheridentity', 'msds-groupmsamembership'];

function namedSids(attributes: Attributes): readonly string[] {
  const sids = NAMES_OF_PRINCIPALS.flatMap((name) =>
    (attributes.get(name) ?? []).map((value) => extendedName(value).sid),
  );
  // A damaged list is noted when its object is read.
  for (const name of LISTS)
    for (const bytes of attributes.get(name) ?? [])
      unlessDamaged(() => void sids.push(...readDescriptor(bytes).entries.map(({ sid }) => sid)));
  return sids;
}

/** Hosts of an account's delegation services, of its databases, and of a CA. */
function namedHosts(attributes: Attributes): readonly string[] {
  const services = [
    ...texts(attributes, 'msds-allowedtodelegateto'),
    ...texts(attributes, 'serviceprincipalname').filter((name) => /^MSSQLSvc\//i.test(name)),
  ];
  const isAuthority = texts(attributes, 'objectclass').includes('pKIEnrollmentService');
  const own = isAuthority ? text(attributes, 'dnshostname') : undefined;
  return [
    ...services.map((service) => service.split('/')[1]?.split(':')[0] ?? ''),
    ...(own === undefined ? [] : [own]),
  ];
}

/** The name of a principal, as in records of its own domain. */
export function nameOfPrincipal({ type, dn, account, host, name }: ForestPrincipal): string {
  const domain = domainOfDn(dn);
  const plain = account ?? name ?? '';
  if (type === 'Computer') return (host ?? `${plain.replace(/\$$/, '')}.${domain}`).toUpperCase();
  return `${plain}@${domain}`.toUpperCase();
}
