/** A domain as its collector writes it: its default groups, a controller, and the objects that a test adds. */
import { ace, collection, type TestUpload } from '@clew/intake/testing';

// biome-ignore lint/suspicious/noExplicitAny: records as a collector writes them.
type Members = Record<string, any>;

/** 2026-01-01, in seconds. */
export const COLLECTED = 1_767_225_600;
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';

/** An entry of an access list. */
export type Right = readonly [holder: string, right: string];

export class SmallDomain {
  readonly name: string;
  readonly sid: string;
  readonly #records = new Map<string, Members[]>();
  readonly #members = new Map<string, string[]>();
  readonly #number: number;

  constructor(number: number, more: Members = {}) {
    this.#number = number;
    this.name = `D${number}.LOCAL`;
    this.sid = `S-1-5-21-${number}-${number}-${number}`;
    const own = { collected: true, functionallevel: '2016', netbios: `D${number}`, whencreated: COLLECTED };
    this.#add('domains', this.sid, this.name, own, { ChildObjects: [], Trusts: [], Links: [], ...more });
    for (const [id, name] of [
      ...([
        [512, 'DOMAIN ADMINS'],
        [513, 'DOMAIN USERS'],
        [515, 'DOMAIN COMPUTERS'],
      ] as const),
      ...([
        [516, 'DOMAIN CONTROLLERS'],
        [519, 'ENTERPRISE ADMINS'],
      ] as const),
    ])
      this.#add('groups', this.id(id), name, {}, { Members: [] });
    this.grant([this.id(512), 'GenericAll'], [this.id(519), 'GenericAll']);
    this.user(500, 'ADMINISTRATOR', {}, { memberOf: [512] });
    this.computer(1000, 'DC', {}, { IsDC: true, DomainSID: this.sid, PrimaryGroupSID: this.id(516) });
  }

  readonly id = (relative: number): string => `${this.sid}-${relative}`;
  readonly wellKnown = (end: string): string => `${this.name}-${end}`;
  readonly guid = (number: number): string =>
    `00000000-0000-0000-${String(this.#number).padStart(4, '0')}-${String(number).padStart(12, '0')}`;

  user(
    id: number,
    name: string,
    props: Members = {},
    { rights = [], memberOf = [], ...more }: Members = {},
  ): string {
    const record = { Aces: acesOf(rights), PrimaryGroupSID: this.id(513), ...more };
    return this.#principal('users', id, name, props, record, memberOf);
  }

  computer(
    id: number,
    name: string,
    props: Members = {},
    { rights = [], memberOf = [], ...more }: Members = {},
  ): string {
    const record = { Aces: acesOf(rights), PrimaryGroupSID: this.id(515), IsDC: false, ...more };
    return this.#principal(
      'computers',
      id,
      name,
      { operatingsystem: 'Windows Server 2022', ...props },
      record,
      memberOf,
    );
  }

  group(
    id: number | string,
    name: string,
    members: readonly string[] = [],
    rights: readonly Right[] = [],
  ): string {
    const own = typeof id === 'number' ? this.id(id) : this.wellKnown(id);
    const record = { Members: members.map(reference), Aces: acesOf(rights) };
    this.#add('groups', own, name, {}, record);
    return own;
  }

  /** Puts members into a group that is there; of any domain. */
  join(group: number, ...members: readonly string[]): void {
    const id = this.id(group);
    this.#members.set(id, [...(this.#members.get(id) ?? []), ...members]);
  }

  /** Entries of the domain's access list. */
  grant(...rights: readonly Right[]): void {
    const [domain] = this.#records.get('domains') as Members[];
    domain.Aces.push(...acesOf(rights));
  }

  policy(number: number, name: string): string {
    this.#add('gpos', this.guid(number), name, { gpcpath: '' }, {});
    return this.guid(number);
  }

  /** @param changes local groups after the policies that are linked here */
  unit(
    number: number,
    name: string,
    children: readonly string[],
    { links = [], changes = {} }: { readonly links?: readonly string[]; readonly changes?: Members } = {},
  ): string {
    const computers = (ids: readonly string[] = []) =>
      ids.map((id) => ({ ObjectIdentifier: id, ObjectType: 'Computer' }));
    const groups = (ids: readonly string[] = []) =>
      ids.map((id) => ({ ObjectIdentifier: id, ObjectType: 'Group' }));
    this.#add(
      'ous',
      this.guid(number),
      name,
      {},
      {
        ChildObjects: children.map((id) => ({
          ...{ ObjectIdentifier: id, ObjectType: id.startsWith('S-') ? 'Computer' : 'OU' },
        })),
        Links: links.map((id) => ({ GUID: id, IsEnforced: false })),
        GPOChanges: {
          ...{ RemoteDesktopUsers: [], DcomUsers: [], PSRemoteUsers: [] },
          LocalAdmins: groups(changes.LocalAdmins),
          AffectedComputers: computers(changes.AffectedComputers),
        },
      },
    );
    return this.guid(number);
  }

  template(number: number, name: string, props: Members, ...rights: readonly Right[]): string {
    const common = {
      ...{ schemaversion: 2, authorizedsignatures: 0, requiresmanagerapproval: false, enabled: undefined },
      ...{ authenticationenabled: true, schannelauthenticationenabled: true, enrolleesuppliessubject: false },
      ...{
        nosecurityextension: false,
        effectiveekus: [CLIENT_AUTHENTICATION],
        ekus: [CLIENT_AUTHENTICATION],
      },
      ...{ certificateapplicationpolicy: [], applicationpolicies: [], subjectaltrequireupn: true },
    };
    this.#add('certtemplates', this.guid(number), name, { ...common, ...props }, { Aces: acesOf(rights) });
    return this.guid(number);
  }

  /** A CA whose certificates can authenticate, with the NTAuth store and root that enable this. */
  authority(
    number: number,
    { templates = [], rights = [], registry, agents, host, props = {} }: Members,
  ): string {
    const thumbprint = `A${number}${this.#number}`;
    const place = { DomainSID: this.sid };
    const certificate = { certthumbprint: thumbprint, certchain: [thumbprint], certname: thumbprint };
    this.#add('rootcas', this.guid(number + 1), `ROOT ${number}`, { ...certificate }, place);
    this.#add(
      'ntauthstores',
      this.guid(number + 2),
      `STORE ${number}`,
      { certthumbprints: [thumbprint] },
      place,
    );
    this.#add(
      'enterprisecas',
      this.guid(number),
      `CA ${number}`,
      { ...certificate, ...props },
      {
        ...{ ...place, Aces: acesOf(rights), HostingComputer: host },
        EnabledCertTemplates: templates.map((id: string) => ({
          ObjectIdentifier: id,
          ObjectType: 'CertTemplate',
        })),
        CARegistryData: {
          ...(registry !== undefined && { CASecurity: { Collected: true, Data: acesOf(registry) } }),
          ...(agents !== undefined && {
            EnrollmentAgentRestrictions: { Collected: true, Restrictions: agents },
          }),
        },
      },
    );
    return this.guid(number);
  }

  files(): TestUpload[] {
    for (const record of this.#records.get('groups') ?? [])
      record.Members.push(...(this.#members.get(record.ObjectIdentifier) ?? []).map(reference));
    return [...this.#records].map(([type, records]) => ({
      name: `${this.name}-${type}.json`,
      content: collection(type, ...records),
    }));
  }

  #principal(
    type: string,
    id: number,
    name: string,
    props: Members,
    record: Members,
    memberOf: readonly number[],
  ): string {
    const own = {
      enabled: true,
      hasspn: false,
      whencreated: COLLECTED,
      pwdlastset: COLLECTED,
      lastlogontimestamp: COLLECTED,
    };
    const inside = { ContainedBy: { ObjectIdentifier: this.sid, ObjectType: 'Domain' } };
    this.#add(type, this.id(id), name, { ...own, ...props }, { ...inside, ...record });
    for (const group of memberOf) this.join(group, this.id(id));
    return this.id(id);
  }

  #add(type: string, id: string, name: string, props: Members, record: Members): void {
    const common = { domain: this.name, domainsid: this.sid, isaclprotected: false };
    const full =
      name === this.name ? name : type === 'computers' ? `${name}.${this.name}` : `${name}@${this.name}`;
    const made = {
      ObjectIdentifier: id,
      Properties: { name: full, ...common, ...props },
      Aces: [],
      ...record,
    };
    this.#records.set(type, [...(this.#records.get(type) ?? []), made]);
  }
}

const acesOf = (rights: readonly Right[]): object[] => rights.map(([holder, right]) => ace(holder, right));

const reference = (id: string) => ({ ObjectIdentifier: id, ObjectType: 'Base' });
