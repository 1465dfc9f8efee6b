/** The second pass over a directory: writes the record of each object to a file at once. */
import { DescriptorError } from '../descriptor/ids.ts';
import { ACCESS_LIST_PARTS, EXTENDED_NAMES } from '../ldap/controls.ts';
import type { Entry } from '../ldap/messages.ts';
import type { ObjectType } from '../rights/wantedRights.ts';
import { LOCAL_GROUP_IDS, type LocalGroup } from '../sysvol/policySettings.ts';
import { addComputer, addUser, localGroupsOfController } from './accounts.ts';
import { CONFIGURATION_ATTRIBUTES, CONFIGURATION_FILTER, DOMAIN_ATTRIBUTES } from './attributes.ts';
import {
  addAuthorityCertificate,
  addCertificateStore,
  addEnterpriseAuthority,
  addIssuancePolicy,
  addRootAuthority,
  addTemplate,
} from './certificateServices.ts';
import { domainOfDn, extendedName, guidOf, hasBits, sidOf, wholeNumber } from './entryValues.ts';
import { nameOfPrincipal } from './forestCatalog.ts';
import { addGroup } from './groups.ts';
import { CONTROLLER_ACCOUNT, type Reference } from './knownObjects.ts';
import { WRITE_ATTRIBUTES } from './lastWrites.ts';
import { isTechnicalContainer, typeOf } from './objectType.ts';
import { commonRecord, type Json, type Reading, type Subject } from './records.ts';
import { trustRecord } from './trusts.ts';
import { addDomain, addPolicy, addSite, addUnit } from './units.ts';
import { ENTERPRISE_CONTROLLERS, objectIdOf, WELL_KNOWN_PRINCIPALS } from './wellKnown.ts';

/** Types of collection files. */
export type FileType =
  | ('users' | 'groups' | 'computers' | 'domains' | 'gpos' | 'ous' | 'containers' | 'rootcas' | 'aiacas')
  | ('enterprisecas' | 'ntauthstores' | 'certtemplates' | 'issuancepolicies' | 'sites' | 'siteservers')
  | 'sitesubnets';

/** Receives records when they are created; the next one is created when it finishes. */
export type WriteRecord = (file: FileType, record: Json) => Promise<void>;

/** Objects to read: those under a base that match a filter. */
export interface Part {
  readonly base: string;
  readonly filter: string;
}

export interface PassOptions {
  readonly pageSize?: number;
  /** Number of group members per answer; only for servers that return all at once. */
  readonly rangeSize?: number;
  readonly onProgress?: (text: string) => void;
  /** Called for units, containers and the domain, with the access list that they pass on. */
  readonly onContainer?: (guid: string, dn: string, list: Buffer | undefined) => void;
}

const CONTROLS = [ACCESS_LIST_PARTS, EXTENDED_NAMES];
const HOLDS_OTHERS: readonly ObjectType[] = ['Domain', 'OU', 'Container'];

type AddParts = (reading: Reading, subject: Subject) => void | Promise<void>;

const nothingMore: AddParts = () => undefined;
const isEmptyContainer: AddParts = (_, { record }) => {
  record.ChildObjects = [];
};

/** The file of each type, and the additional members of its records. */
const TYPES: Readonly<Partial<Record<ObjectType, readonly [FileType, AddParts]>>> = {
  User: ['users', addUser],
  Group: ['groups', addGroup],
  Computer: ['computers', addComputer],
  GPO: ['gpos', addPolicy],
  OU: ['ous', addUnit],
  Container: ['containers', isEmptyContainer],
  Configuration: ['containers', isEmptyContainer],
  RootCA: ['rootcas', addRootAuthority],
  AIACA: ['aiacas', addAuthorityCertificate],
  EnterpriseCA: ['enterprisecas', addEnterpriseAuthority],
  NTAuthStore: ['ntauthstores', addCertificateStore],
  CertTemplate: ['certtemplates', addTemplate],
  IssuancePolicy: ['issuancepolicies', addIssuancePolicy],
  Site: ['sites', addSite],
  SiteServer: ['siteservers', nothingMore],
  SiteSubnet: ['sitesubnets', nothingMore],
};

const FILES_OF_PRINCIPALS: Readonly<Partial<Record<ObjectType, FileType>>> = {
  ...{ User: 'users', Group: 'groups', Computer: 'computers' },
};

export class SecondPass {
  readonly counts: Partial<Record<FileType, number>> = {};
  readonly #reading: Reading;
  readonly #write: WriteRecord;
  readonly #trusts: Json[] = [];
  readonly #builtin = new Map<LocalGroup, readonly Reference[]>();
  /** Controllers wait for the members of BUILTIN; a domain has few of them. */
  readonly #controllers: Json[] = [];
  /** Objects already processed, if parts overlap. */
  readonly #taken: Set<string> | undefined;
  readonly #options: PassOptions;
  #domain: Entry | undefined;

  /** @param ofChanges whether the parts may overlap; information that only a full reading requests is taken from the last one */
  constructor(reading: Reading, write: WriteRecord, options: PassOptions, { ofChanges = false } = {}) {
    this.#reading = reading;
    this.#write = write;
    this.#options = options;
    this.#taken = ofChanges ? new Set() : undefined;
  }

  /** @param parts parts of the domain, including its own object, trusts, controllers and Builtin groups */
  async read(parts: readonly Part[], readsConfiguration: boolean): Promise<void> {
    const { client, known, writers } = this.#reading;
    const more = writers === undefined ? [] : WRITE_ATTRIBUTES;
    const { pageSize, rangeSize, onProgress = () => undefined } = this.#options;
    const { configuration } = known.facts;
    const attributes = [...DOMAIN_ATTRIBUTES, ...more].map((name) =>
      name === 'member' && rangeSize !== undefined ? `member;range=0-${rangeSize - 1}` : name,
    );
    const onPage = (count: number): void => onProgress(`second pass: ${count} objects`);
    for (const part of parts)
      for await (const entry of client.search({ ...part, attributes, controls: CONTROLS, pageSize, onPage }))
        await this.#takeReadable(entry);
    const settings = { base: configuration, filter: CONFIGURATION_FILTER, controls: CONTROLS, pageSize };
    const ofConfiguration = [...CONFIGURATION_ATTRIBUTES, ...more];
    if (readsConfiguration)
      for await (const entry of client.search({ ...settings, attributes: ofConfiguration }))
        await this.#takeReadable(entry);
    for (const record of this.#controllers)
      await this.#put('computers', {
        ...record,
        LocalGroups: localGroupsOfController(this.#reading, this.#builtin),
      });
    await this.#takeDomain();
    await this.#wellKnown();
    await this.#forestPrincipals();
  }

  /** Only an object with a damaged id itself is omitted. */
  async #takeReadable(entry: Entry): Promise<void> {
    try {
      await this.#take(entry);
    } catch (error) {
      if (!(error instanceof DescriptorError)) throw error;
      this.#reading.notes.add(`objects that are not readable: ${error.message}`, extendedName(entry.dn).dn);
    }
  }

  async #take(entry: Entry): Promise<void> {
    const { dn } = extendedName(entry.dn);
    const { attributes } = entry;
    if (this.#wasTaken(guidOf(attributes))) return;
    const type = typeOf(attributes, dn);
    if (type !== undefined && HOLDS_OTHERS.includes(type as ObjectType))
      this.#options.onContainer?.(guidOf(attributes), dn, attributes.get('ntsecuritydescriptor')?.[0]);
    if (type === 'Trust') {
      const trust = trustRecord(this.#reading, attributes);
      if (trust !== undefined) this.#trusts.push(trust);
    } else if (type === 'Domain') this.#domain = { dn, attributes: new Map(attributes) };
    else if (type !== undefined && !(type === 'Container' && isTechnicalContainer(dn)))
      await this.#object(type, { dn, attributes });
  }

  #wasTaken(guid: string): boolean {
    if (this.#taken === undefined || guid === '') return false;
    if (this.#taken.has(guid)) return true;
    this.#taken.add(guid);
    return false;
  }

  async #object(type: ObjectType, entry: Entry): Promise<void> {
    const parts = TYPES[type];
    if (parts === undefined) return;
    const [file, add] = parts;
    const subject = await commonRecord(this.#reading, type, entry);
    if (subject === undefined) return;
    await add(this.#reading, subject);
    const { attributes, record } = subject;
    if (type === 'Group') this.#keepBuiltin(sidOf(attributes), record.Members as readonly Reference[]);
    if (
      type === 'Computer' &&
      hasBits(wholeNumber(attributes, 'useraccountcontrol') ?? 0, CONTROLLER_ACCOUNT)
    )
      this.#controllers.push(record);
    else await this.#put(file, record);
  }

  #keepBuiltin(sid: string, members: readonly Reference[]): void {
    const found = LOCAL_GROUP_IDS.find(([, rid]) => sid === `S-1-5-32-${rid}`);
    if (found !== undefined) this.#builtin.set(found[0], members);
  }

  /** The domain is last, because its record contains the trusts. */
  async #takeDomain(): Promise<void> {
    const { known } = this.#reading;
    if (this.#domain === undefined)
      throw new Error(`the object of the domain ${known.facts.domain} cannot be read`);
    const subject = await commonRecord(this.#reading, 'Domain', this.#domain);
    if (subject === undefined) return;
    addDomain(this.#reading, subject, this.#trusts);
    await this.#put('domains', subject.record);
  }

  async #wellKnown(): Promise<void> {
    const { domain, forest, sid: domainSid, forestSid } = this.#reading.known.facts;
    for (const { sid, name, type } of WELL_KNOWN_PRINCIPALS) {
      const isOfForest = sid === ENTERPRISE_CONTROLLERS;
      const home = isOfForest ? forest : domain;
      const common = {
        ObjectIdentifier: objectIdOf(sid, domain, forest),
        Properties: {
          ...{ name: `${name}@${home}`, domain: home, domainsid: isOfForest ? forestSid : domainSid },
          reconcile: false,
        },
        ...{ Aces: [], IsDeleted: false, IsACLProtected: false, ContainedBy: null },
      };
      if (type === 'User')
        await this.#put('users', {
          ...common,
          ...{ PrimaryGroupSID: null, AllowedToDelegate: [], HasSIDHistory: [], SPNTargets: [] },
        });
      else
        await this.#put('groups', {
          ...common,
          ...(isOfForest ? await this.#controllerMembers() : { Members: [] }),
        });
    }
  }

  /** Controllers of the whole forest: a list for one domain would replace that of another, so it is omitted if incomplete. */
  async #controllerMembers(): Promise<{ readonly Members?: readonly Reference[] }> {
    const { known, catalog } = this.#reading;
    if (this.#taken === undefined) known.otherControllers = await catalog.controllers();
    if (known.otherControllers === undefined) return {};
    const all = [...new Set([...known.controllers, ...known.otherControllers])];
    return { Members: all.map((sid) => ({ ObjectIdentifier: sid, ObjectType: 'Computer' })) };
  }

  /** Only names: their own domain has the other properties. */
  async #forestPrincipals(): Promise<void> {
    for (const principal of this.#reading.catalog.principals.values()) {
      const file = FILES_OF_PRINCIPALS[principal.type];
      if (file === undefined) continue;
      const { sid, dn, account } = principal;
      const properties = {
        ...{ name: nameOfPrincipal(principal), domain: domainOfDn(dn), distinguishedname: dn.toUpperCase() },
        ...{ domainsid: sid.slice(0, sid.lastIndexOf('-')), samaccountname: account ?? null },
      };
      await this.#put(file, { ObjectIdentifier: sid, Properties: properties, IsDeleted: false });
    }
  }

  async #put(file: FileType, record: Json): Promise<void> {
    this.counts[file] = (this.counts[file] ?? 0) + 1;
    await this.#write(file, record);
  }
}
