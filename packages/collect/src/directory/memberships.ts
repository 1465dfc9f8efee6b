/**
 * Groups of principals, for denied entries only: groups of groups are known, and those of an account are requested if a denial names it, so
 * that no table of all memberships is kept.
 */
import { EXTENDED_NAMES } from '../ldap/controls.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import type { Principals } from '../rights/grantedRights.ts';
import { extendedName, wholeNumber } from './entryValues.ts';
import type { KnownObjects } from './knownObjects.ts';

/** Maximum number of accounts with cached groups. Few are named in denials. */
const MAX_KEPT = 5_000;
const NONE: ReadonlySet<string> = new Set();

export class Memberships implements Principals {
  readonly #client: LdapClient;
  readonly #known: KnownObjects;
  readonly #closures = new Map<string, ReadonlySet<string>>();

  constructor(client: LdapClient, known: KnownObjects) {
    this.#client = client;
    this.#known = known;
  }

  groupsOf(sid: string): ReadonlySet<string> {
    return this.#closures.get(sid) ?? NONE;
  }

  /** Looks up the groups of principals. */
  async load(sids: Iterable<string>): Promise<void> {
    for (const sid of sids) {
      if (this.#closures.has(sid)) continue;
      if (this.#closures.size >= MAX_KEPT) this.#closures.clear();
      this.#closures.set(sid, this.#closureOf(await this.#directGroups(sid)));
    }
  }

  async #directGroups(sid: string): Promise<readonly string[]> {
    const type = this.#known.typeOf(sid);
    if (type !== 'User' && type !== 'Computer') return this.#known.groupsOfGroups.get(sid) ?? [];
    const entry = await this.#client.readObject(
      `<SID=${sid}>`,
      ['memberOf', 'primaryGroupID'],
      [EXTENDED_NAMES],
    );
    if (entry === undefined) return [];
    const groups = (entry.attributes.get('memberof') ?? []).map((name) => extendedName(name).sid);
    const primary = wholeNumber(entry.attributes, 'primarygroupid');
    const { sid: domain } = this.#known.facts;
    return [
      ...groups.filter((group) => group !== ''),
      ...(primary === undefined ? [] : [`${domain}-${primary}`]),
    ];
  }

  #closureOf(direct: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>();
    const left = [...direct];
    for (let group = left.pop(); group !== undefined; group = left.pop()) {
      if (found.has(group)) continue;
      found.add(group);
      left.push(...(this.#known.groupsOfGroups.get(group) ?? []));
    }
    return found;
  }
}
