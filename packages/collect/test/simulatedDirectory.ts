/**
 * A simulated directory: its objects can be changed while it is read, with the change numbers of a controller. It answers searches with
 * their filters and attributes over LDAPS, and accepts any password except `wrong-one`; without TLS it accepts tickets, and encrypts.
 */
import { generate } from 'selfsigned';
import { BerReader } from '../src/ber/reader.ts';
import { AES256, type Key } from '../src/kerberos/encryption.ts';
import { TAG } from '../src/ldap/messages.ts';
import { sidBytes } from './descriptors.ts';
import { matchesFilter } from './matchFilter.ts';
import { ServiceSession } from './serviceSession.ts';
import { acceptSignIn } from './simulatedKerberos.ts';
import {
  bindAccepted,
  bindResult,
  entryMessage,
  type LdapRequest,
  type SimulatedLdap,
  searchDone,
  simulatedLdap,
} from './simulatedLdap.ts';

export type Values = Readonly<Record<string, readonly (string | Buffer)[]>>;

interface Kept {
  dn: string;
  readonly values: Map<string, readonly Buffer[]>;
}

export interface ServedDirectory extends AsyncDisposable {
  readonly port: number;
  /** PEM of the CA of its certificate. */
  readonly authority: string;
}

const PAGE = 500;
/** Tag of a SASL sign-in (RFC 4511, 4.2). */
const SASL = 0xa3;
/** The key that it chooses for encrypted sessions. */
const SUBKEY: Key = { type: AES256, bytes: Buffer.alloc(32, 7) };

export class SimulatedDirectory {
  readonly host: string;
  readonly base: string;
  readonly domainSid: string;
  readonly configuration: string;
  invocation = Buffer.alloc(16, 0x11);
  usn = 1_000;
  /** Whether it refuses all passwords. */
  refuses = false;
  /** Its answer to a refused password. */
  refusal: readonly [result: number, message: string] = [49, 'data 52e'];
  /** Sign-ins with a password so far. */
  signIns = 0;
  /** Delays searches of the whole domain. */
  held: Promise<unknown> = Promise.resolve();
  /** Whether the connection ends without an answer to a search of the catalog, by its number from 1. */
  catalogLoses: (search: number) => boolean = () => false;
  /** Filters of catalog searches, as bytes in Latin-1. */
  readonly catalogFilters: string[] = [];
  /** Received searches: base and attributes. */
  readonly asked: { readonly base: string; readonly attributes: readonly string[] }[] = [];
  readonly #objects = new Map<string, Kept>();
  readonly #others: SimulatedDirectory[] = [];
  /** The search whose pages are being read. */
  #searched: { readonly key: string; readonly found: readonly Kept[] } | undefined;
  #nextGuid = 1;

  /** @param root base of the forest root domain, whose configuration it shares */
  constructor(host: string, base: string, domainSid: string, root = base) {
    this.host = host;
    this.base = base;
    this.domainSid = domainSid;
    this.configuration = `CN=Configuration,${root}`;
    this.put(base, { objectClass: ['top', 'domainDNS'], objectSid: [sidBytes(domainSid)] });
  }

  /** Adds an object, or replaces values of an existing one. */
  put(dn: string, values: Values): void {
    this.usn += 1;
    const kept = this.#objects.get(dn.toLowerCase()) ?? { dn, values: this.#newValues(dn) };
    for (const [name, all] of Object.entries(values))
      if (all.length === 0) kept.values.delete(name.toLowerCase());
      else
        kept.values.set(
          name.toLowerCase(),
          all.map((value) => Buffer.from(value as Buffer)),
        );
    kept.values.set('usnchanged', [Buffer.from(String(this.usn))]);
    this.#objects.set(dn.toLowerCase(), kept);
  }

  /** Changes values without a new change number, like the propagation of access lists. */
  putQuietly(dn: string, values: Values): void {
    const before = this.#objects.get(dn.toLowerCase())?.values.get('usnchanged');
    this.put(dn, values);
    if (before !== undefined) this.#objects.get(dn.toLowerCase())?.values.set('usnchanged', before);
  }

  remove(dn: string): void {
    this.usn += 1;
    this.#objects.delete(dn.toLowerCase());
  }

  /** Renames an object; the names of objects in it follow, without new change numbers. */
  rename(from: string, to: string): void {
    this.usn += 1;
    for (const [key, kept] of [...this.#objects]) {
      if (key !== from.toLowerCase() && !key.endsWith(`,${from.toLowerCase()}`)) continue;
      this.#objects.delete(key);
      kept.dn = kept.dn.slice(0, kept.dn.length - from.length) + to;
      this.#objects.set(kept.dn.toLowerCase(), kept);
      if (key === from.toLowerCase()) kept.values.set('usnchanged', [Buffer.from(String(this.usn))]);
    }
  }

  async serve(): Promise<ServedDirectory> {
    const pem = await generate([{ name: 'commonName', value: this.host }]);
    return this.#served(await simulatedLdap((request) => this.#answer(request), pem), pem.cert);
  }

  /** Serves without TLS; a Kerberos sign-in encrypts everything. @param catalog whether it answers like a global catalog */
  async serveSealed(catalog = false): Promise<ServedDirectory> {
    return this.#served(await simulatedLdap((request) => this.#answer(request, catalog)), '');
  }

  /** Adds objects of other domains to the global catalog. */
  shareCatalog(...others: readonly SimulatedDirectory[]): void {
    this.#others.push(...others);
  }

  #served(server: SimulatedLdap, authority: string): ServedDirectory {
    return {
      ...{ port: server.port, authority },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }

  #newValues(dn: string): Map<string, readonly Buffer[]> {
    const guid = Buffer.alloc(16);
    guid.writeUInt32BE(this.#nextGuid++);
    guid.write(this.domainSid.slice(-8), 8);
    const parent = this.#objects.get(dn.slice(dn.indexOf(',') + 1).toLowerCase())?.values.get('objectguid');
    return new Map([
      ['objectguid', [guid]],
      ['name', [Buffer.from(/^\w+=([^,]*)/.exec(dn)?.[1] ?? '')]],
      ...(parent === undefined ? [] : [['parentguid', parent] as const]),
    ]);
  }

  #rootValues(): Map<string, readonly Buffer[]> {
    const root = this.configuration.slice('CN=Configuration,'.length);
    return new Map(
      Object.entries({
        objectclass: 'top',
        ...{ defaultnamingcontext: this.base, configurationnamingcontext: this.configuration },
        ...{ schemanamingcontext: `CN=Schema,${this.configuration}`, rootdomainnamingcontext: root },
        ...{ dnshostname: this.host, highestcommittedusn: String(this.usn) },
        dsservicename: `CN=NTDS Settings,CN=${this.host},${this.configuration}`,
      }).map(([name, value]) => [name, [Buffer.from(value)]] as const),
    );
  }

  #answer({ id, tag, body, cookie, socket, send, seal }: LdapRequest, catalog = false): void {
    if (tag === TAG.bind) {
      body.integer();
      body.octets();
      if (body.peek() === SASL) {
        send(bindAccepted(id, acceptSignIn(SUBKEY)));
        seal(new ServiceSession(SUBKEY));
        return;
      }
      this.signIns += 1;
      const isWrong = this.refuses || body.octets(0x80).toString() === 'wrong-one';
      send(bindResult(id, ...(isWrong ? this.refusal : ([0, ''] as const))));
      return;
    }
    if (tag !== TAG.search) return;
    const base = body.text();
    const scope = body.integer(0x0a);
    for (let skipped = 0; skipped < 4; skipped += 1) body.enter();
    const from = body.at;
    body.enter();
    const filter = body.bytes.subarray(from, body.at);
    if (catalog) {
      this.catalogFilters.push(filter.toString('latin1'));
      if (this.catalogLoses(this.catalogFilters.length)) {
        socket.destroy();
        return;
      }
    }
    const list = body.enter();
    const attributes: string[] = [];
    while (list.hasMore) attributes.push(list.text().toLowerCase());
    this.asked.push({ base, attributes });
    const key = `${catalog} ${scope} ${base} ${filter.toString('latin1')}`;
    if (cookie.length === 0 || this.#searched?.key !== key)
      this.#searched = {
        key,
        found: (catalog ? this.#inCatalog() : this.#found(base, scope)).filter(({ values }) =>
          matchesFilter(new BerReader(filter), values),
        ),
      };
    const { found } = this.#searched;
    const first = cookie.length === 0 ? 0 : Number(cookie.toString());
    const page = found.slice(first, first + PAGE);
    const rest = first + PAGE < found.length ? Buffer.from(String(first + PAGE)) : Buffer.alloc(0);
    const missing = scope === 0 && base !== '' && found.length === 0;
    const reply = (): void =>
      send(
        ...page.map(({ dn, values }) =>
          entryMessage(id, dn, Object.fromEntries([...values].filter(([name]) => attributes.includes(name)))),
        ),
        searchDone(id, rest, missing ? 32 : 0),
      );
    if (base === this.base && scope === 2) void this.held.then(reply);
    else reply();
  }

  #inCatalog(): readonly Kept[] {
    return [this, ...this.#others].flatMap((one) => [...one.#objects.values()]);
  }

  #found(base: string, scope: number): readonly Kept[] {
    if (base === '') return [{ dn: '', values: this.#rootValues() }];
    if (scope === 0 && base.startsWith('CN=NTDS Settings,'))
      return [
        {
          dn: base,
          values: new Map([
            ['invocationid', [this.invocation]],
            ['objectclass', [Buffer.from('top')]],
          ]),
        },
      ];
    const sid = /^<SID=(.*)>$/.exec(base)?.[1];
    const top = base.toLowerCase();
    return [...this.#objects.values()].filter(({ dn, values }) => {
      if (sid !== undefined) return values.get('objectsid')?.[0]?.equals(sidBytes(sid)) === true;
      const name = dn.toLowerCase();
      if (name === top) return scope !== 1;
      if (!name.endsWith(`,${top}`) || scope === 0) return false;
      return scope === 2 || name.indexOf(',') === name.length - top.length - 1;
    });
  }
}
