/**
 * One domain, read in two passes: what others name (`knownObjects.ts`), then each object as it comes, whose record goes to a file at once.
 * Memory does not grow with the directory but for a byte per account, its hosts and its groups.
 */
import { DescriptorError } from '../descriptor/ids.ts';
import { ACCESS_LIST_PARTS, EXTENDED_NAMES } from '../ldap/controls.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import type { Entry } from '../ldap/messages.ts';
import type { ObjectType } from '../rights/wantedRights.ts';
import { type PolicyFiles, readPolicy } from '../sysvol/policyFiles.ts';
import { LOCAL_GROUP_IDS, type LocalGroup, type PolicySettings } from '../sysvol/policySettings.ts';
import { addComputer, addUser, localGroupsOfController } from './accounts.ts';
import {
  CONFIGURATION_ATTRIBUTES,
  CONFIGURATION_FILTER,
  DOMAIN_ATTRIBUTES,
  DOMAIN_FILTER,
} from './attributes.ts';
import {
  addAuthorityCertificate,
  addCertificateStore,
  addEnterpriseAuthority,
  addIssuancePolicy,
  addRootAuthority,
  addTemplate,
} from './certificateServices.ts';
import { type DomainFacts, readDomainFacts, readSchemaIds } from './domainFacts.ts';
import { extendedName, hasBits, sidOf, wholeNumber } from './entryValues.ts';
import { addGroup } from './groups.ts';
import { CONTROLLER_ACCOUNT, type KnownObjects, type Reference, readKnownObjects } from './knownObjects.ts';
import { Memberships } from './memberships.ts';
import { type Note, Notes } from './notes.ts';
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

/** Takes records as they are made; the next one is made when it is done. */
export type WriteRecord = (file: FileType, record: Json) => Promise<void>;

export interface ReadOptions {
  readonly pageSize?: number;
  /** Values of groups in one answer; only for servers that give all of them at once. */
  readonly rangeSize?: number;
  /** Files of policies; without them SYSVOL is not read. */
  readonly policyFiles?: PolicyFiles;
  readonly onProgress?: (text: string) => void;
}

export interface DomainReport {
  readonly facts: DomainFacts;
  /** Objects that were read, by their file. */
  readonly counts: Readonly<Partial<Record<FileType, number>>>;
  readonly notes: readonly Note[];
}

const CONTROLS = [ACCESS_LIST_PARTS, EXTENDED_NAMES];

/** @throws Error that names the remedy; what was written until then must not be used */
export async function readDomain(
  client: LdapClient,
  write: WriteRecord,
  options: ReadOptions = {},
): Promise<DomainReport> {
  const { pageSize, policyFiles, onProgress = () => undefined } = options;
  const facts = await readDomainFacts(client);
  const schema = await readSchemaIds(client, facts);
  const known = await readKnownObjects(client, facts, {
    pageSize,
    onPage: (count) => onProgress(`first pass: ${count} objects`),
  });
  const notes = new Notes();
  const settings = policyFiles === undefined ? new Map() : await readPolicies(policyFiles, known, notes);
  const memberships = new Memberships(client, known);
  const readsSysvol = policyFiles !== undefined;
  const lists: Reading['lists'] = new Map();
  const reading: Reading = { client, known, schema, memberships, notes, lists, settings, readsSysvol };
  const run = new SecondPass(reading, write);
  await run.all(options);
  return { facts, counts: run.counts, notes: notes.list() };
}

/** @returns settings by the names of policies in lower case */
async function readPolicies(
  files: PolicyFiles,
  known: KnownObjects,
  notes: Notes,
): Promise<ReadonlyMap<string, PolicySettings>> {
  const settings = new Map<string, PolicySettings>();
  for (const dn of known.policies.keys()) {
    const folder = /^cn=(\{[0-9a-f-]{36}\}),/i.exec(dn)?.[1];
    if (folder === undefined) continue;
    try {
      settings.set(dn, await readPolicy(files, known.facts.domain.toLowerCase(), folder.toUpperCase()));
    } catch (error) {
      notes.add(`files of policies that are not readable: ${(error as Error).message}`, dn);
    }
  }
  return settings;
}

type AddParts = (reading: Reading, subject: Subject) => void | Promise<void>;

const nothingMore: AddParts = () => undefined;
const isEmptyContainer: AddParts = (_, { record }) => {
  record.ChildObjects = [];
};

/** The file of each type, and what its records have in addition to the common parts. */
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

class SecondPass {
  readonly counts: Partial<Record<FileType, number>> = {};
  readonly #reading: Reading;
  readonly #write: WriteRecord;
  readonly #trusts: Json[] = [];
  readonly #builtin = new Map<LocalGroup, readonly Reference[]>();
  /** Controllers wait for the members of BUILTIN; a domain has few of them. */
  readonly #controllers: Json[] = [];
  #domain: Entry | undefined;

  constructor(reading: Reading, write: WriteRecord) {
    this.#reading = reading;
    this.#write = write;
  }

  async all({ pageSize, rangeSize, onProgress = () => undefined }: ReadOptions): Promise<void> {
    const { client, known } = this.#reading;
    const { base, configuration } = known.facts;
    const attributes = DOMAIN_ATTRIBUTES.map((name) =>
      name === 'member' && rangeSize !== undefined ? `member;range=0-${rangeSize - 1}` : name,
    );
    const onPage = (count: number): void => onProgress(`second pass: ${count} objects`);
    const domain = { base, filter: DOMAIN_FILTER, attributes, controls: CONTROLS, pageSize, onPage };
    for await (const entry of client.search(domain)) await this.#takeReadable(entry);
    const settings = { base: configuration, filter: CONFIGURATION_FILTER, controls: CONTROLS, pageSize };
    for await (const entry of client.search({ ...settings, attributes: CONFIGURATION_ATTRIBUTES }))
      await this.#takeReadable(entry);
    for (const record of this.#controllers)
      await this.#put('computers', {
        ...record,
        LocalGroups: localGroupsOfController(this.#reading, this.#builtin),
      });
    await this.#takeDomain();
    await this.#wellKnown();
  }

  /** An object with a damaged id costs only itself. */
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
    const type = typeOf(attributes, dn);
    if (type === 'Trust') {
      const trust = trustRecord(this.#reading, attributes);
      if (trust !== undefined) this.#trusts.push(trust);
    } else if (type === 'Domain') this.#domain = { dn, attributes: new Map(attributes) };
    else if (type !== undefined && !(type === 'Container' && isTechnicalContainer(dn)))
      await this.#object(type, { dn, attributes });
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

  /** The domain comes last: its record has the trusts. */
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
      else await this.#put('groups', { ...common, Members: isOfForest ? this.#controllerReferences() : [] });
    }
  }

  #controllerReferences(): readonly Reference[] {
    return this.#reading.known.controllers.map((sid) => ({ ObjectIdentifier: sid, ObjectType: 'Computer' }));
  }

  async #put(file: FileType, record: Json): Promise<void> {
    this.counts[file] = (this.counts[file] ?? 0) + 1;
    await this.#write(file, record);
  }
}
