/**
 * Objects that others refer to before they are read: types of accounts (one byte each), hosts, policies, units, groups of groups,
 * certificate templates. A first pass reads them with few attributes.
 */
import { DescriptorError } from '../descriptor/ids.ts';
import { ACCESS_LIST_PARTS, EXTENDED_NAMES } from '../ldap/controls.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import type { Attributes } from '../ldap/messages.ts';
import type { ObjectType } from '../rights/wantedRights.ts';
import { AppliedPolicies } from './appliedPolicies.ts';
import {
  CONFIGURATION_FILTER,
  NAMED_ATTRIBUTES,
  NAMED_CONFIGURATION_ATTRIBUTES,
  NAMED_FILTER,
  USERS_FILTER,
} from './attributes.ts';
import { type Certificate, readCertificate } from './certificates.ts';
import type { DomainFacts } from './domainFacts.ts';
import { domainOfDn, extendedName, guidOf, hasBits, sidOf, text, wholeNumber } from './entryValues.ts';
import { typeOf } from './objectType.ts';
import { objectIdOf, WELL_KNOWN_PRINCIPALS } from './wellKnown.ts';

/** A reference to an object, as in records. */
export interface Reference {
  readonly ObjectIdentifier: string;
  readonly ObjectType: string;
}

/** Bits of userAccountControl (MS-ADTS 2.2.16). */
export const CONTROLLER_ACCOUNT = 0x2000;
/** Bit of `flags`: the computer part is disabled (MS-GPOL 2.2.1). */
const COMPUTER_PART_OFF = 2;

/** Units stay in the table even without links: a change may have removed the last one. */
const HAS_LINKS: readonly string[] = ['OU', 'Domain'];

const BYTE_TYPES: readonly ObjectType[] = ['Base', 'User', 'Group', 'Computer'];
/** With larger relative ids, the byte table would be too large. */
const MAX_BYTE_RID = 50_000_000;

export class KnownObjects {
  readonly facts: DomainFacts;
  /** SIDs of the domain's controllers. */
  readonly controllers = new Set<string>();
  /** SIDs of the controllers of other domains of the forest, from the last full reading; undefined if no catalog answered. */
  otherControllers: readonly string[] | undefined;
  /** SIDs of computers by host name and account name, in lower case. */
  readonly hosts = new Map<string, string>();
  /** GUIDs of policies by name in lower case. */
  readonly policies = new Map<string, string>();
  /** GUIDs of certificate templates by name in lower case. */
  readonly templates = new Map<string, string>();
  readonly certificates: Certificate[] = [];
  readonly applied = new AppliedPolicies();
  /** Direct groups of groups. */
  readonly groupsOfGroups = new Map<string, readonly string[]>();
  /** The list that the directory copies to protected accounts; undefined if it cannot be read. */
  adminHolderList: Buffer | undefined;
  dsHeuristics: string | null = null;
  readonly #containers = new Map<string, ObjectType>();
  readonly #others = new Map<string, ObjectType>();
  #types = new Uint8Array(65_536);
  /** Number of objects in the first pass. */
  count = 0;

  constructor(facts: DomainFacts) {
    this.facts = facts;
  }

  typeOf(sid: string): ObjectType {
    const rid = this.#ridOf(sid);
    if (rid !== undefined && rid < this.#types.length && this.#types[rid] !== 0)
      return BYTE_TYPES[this.#types[rid]];
    const known =
      this.#others.get(sid) ?? WELL_KNOWN_PRINCIPALS.find((principal) => principal.sid === sid)?.type;
    return known ?? (sid.startsWith('S-1-5-32-') ? 'Group' : 'Base');
  }

  idOf(sid: string): string {
    return objectIdOf(sid, this.facts.domain, this.facts.forest);
  }

  reference(sid: string): Reference {
    return { ObjectIdentifier: this.idOf(sid), ObjectType: this.typeOf(sid) };
  }

  /** @returns null for an unknown container */
  container(guid: string): Reference | null {
    const type = this.#containers.get(guid);
    if (type === undefined) return null;
    if (type === 'Domain') return { ObjectIdentifier: this.facts.sid, ObjectType: 'Domain' };
    return { ObjectIdentifier: guid, ObjectType: type === 'Configuration' ? 'Container' : type };
  }

  rememberType(sid: string, type: ObjectType): void {
    const rid = this.#ridOf(sid);
    const byte = BYTE_TYPES.indexOf(type);
    if (rid === undefined || byte < 0 || rid > MAX_BYTE_RID) {
      this.#others.set(sid, type);
      return;
    }
    if (rid >= this.#types.length) {
      const larger = new Uint8Array(Math.max(rid + 1, this.#types.length * 2));
      larger.set(this.#types);
      this.#types = larger;
    }
    this.#types[rid] = byte;
  }

  rememberContainer(guid: string, type: ObjectType): void {
    this.#containers.set(guid, type);
  }

  /** The relative id of an object of this domain. */
  #ridOf(sid: string): number | undefined {
    const at = sid.lastIndexOf('-');
    return sid.slice(0, at) === this.facts.sid ? Number(sid.slice(at + 1)) : undefined;
  }
}

export interface FirstPassOptions {
  readonly pageSize?: number;
  readonly onPage?: (objects: number) => void;
}

export async function readKnownObjects(
  client: LdapClient,
  facts: DomainFacts,
  { pageSize, onPage }: FirstPassOptions = {},
): Promise<KnownObjects> {
  const known = new KnownObjects(facts);
  const { base } = facts;
  const users = { base, filter: USERS_FILTER, attributes: ['objectSid'], pageSize };
  for await (const { attributes } of client.search(users)) {
    unlessDamaged(() => known.rememberType(sidOf(attributes), 'User'));
    known.count += 1;
    if (known.count % 1000 === 0) onPage?.(known.count);
  }
  const named = {
    ...{ base, filter: NAMED_FILTER, attributes: NAMED_ATTRIBUTES, pageSize },
    controls: [EXTENDED_NAMES],
    onPage: (count: number) => onPage?.(known.count + count),
  };
  let count = 0;
  for await (const { dn, attributes } of client.search(named)) {
    unlessDamaged(() => rememberNamed(known, extendedName(dn).dn, attributes));
    count += 1;
  }
  known.count += count;
  await readKnownSettings(client, known, pageSize);
  await readAdminHolder(client, known);
  return known;
}

/** Reads objects of the configuration that others refer to. */
export async function readKnownSettings(
  client: LdapClient,
  known: KnownObjects,
  pageSize?: number,
): Promise<void> {
  const { configuration } = known.facts;
  known.certificates.length = 0;
  const settings = {
    ...{ base: configuration, filter: CONFIGURATION_FILTER, pageSize },
    attributes: NAMED_CONFIGURATION_ATTRIBUTES,
  };
  for await (const { dn, attributes } of client.search(settings)) rememberSettings(known, dn, attributes);
}

/** Reads the list that the directory copies to protected accounts. */
export async function readAdminHolder(client: LdapClient, known: KnownObjects): Promise<void> {
  const { base } = known.facts;
  const holder = await client.readObject(
    `CN=AdminSDHolder,CN=System,${base}`,
    ['nTSecurityDescriptor'],
    [ACCESS_LIST_PARTS],
  );
  const list = holder?.attributes.get('ntsecuritydescriptor')?.[0];
  known.adminHolderList = list && Buffer.from(list);
}

/** Objects with a damaged id are noted when they are read completely. */
export function unlessDamaged(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DescriptorError)) throw error;
  }
}

export function rememberNamed(known: KnownObjects, dn: string, attributes: Attributes): void {
  const type = typeOf(attributes, dn);
  if (type === undefined || type === 'Trust') return;
  const sid = sidOf(attributes);
  const guid = guidOf(attributes);
  if (sid !== '') known.rememberType(sid, type);
  if (HAS_LINKS.includes(type) || attributes.has('gplink') || attributes.has('gpoptions'))
    known.applied.addUnit(
      dn,
      text(attributes, 'gplink'),
      hasBits(wholeNumber(attributes, 'gpoptions') ?? 0, 1),
    );
  if (type === 'Computer') rememberComputer(known, dn, sid, attributes);
  else if (type === 'GPO') {
    known.policies.set(dn.toLowerCase(), guid);
    known.applied.switchPolicy(dn, hasBits(wholeNumber(attributes, 'flags') ?? 0, COMPUTER_PART_OFF));
  } else if (type === 'Group') rememberGroup(known, sid, attributes);
  else if (type !== 'User') known.rememberContainer(guid, type);
}

function rememberGroup(known: KnownObjects, sid: string, attributes: Attributes): void {
  const groups = (attributes.get('memberof') ?? []).map((name) => extendedName(name).sid);
  const named = groups.filter((group) => group !== '');
  if (groups.length > 0) known.groupsOfGroups.set(sid, named);
}

function rememberComputer(known: KnownObjects, dn: string, sid: string, attributes: Attributes): void {
  const account = text(attributes, 'samaccountname')?.replace(/\$$/, '').toLowerCase();
  const host = text(attributes, 'dnshostname')?.toLowerCase();
  for (const name of [account, host]) if (name !== undefined && name !== '') known.hosts.set(name, sid);
  if (hasBits(wholeNumber(attributes, 'useraccountcontrol') ?? 0, CONTROLLER_ACCOUNT))
    known.controllers.add(sid);
  known.applied.addComputer(dn, sid);
}

function rememberSettings(known: KnownObjects, dn: string, attributes: Attributes): void {
  const type = typeOf(attributes, dn);
  if (type !== undefined && type !== 'Trust') known.rememberContainer(guidOf(attributes), type);
  if (type === 'CertTemplate')
    known.templates.set((text(attributes, 'name') ?? '').toLowerCase(), guidOf(attributes));
  for (const bytes of attributes.get('cacertificate') ?? []) {
    const certificate = readCertificate(bytes);
    if (certificate !== undefined) known.certificates.push(certificate);
  }
  if (/^CN=Directory Service,/i.test(dn)) known.dsHeuristics = text(attributes, 'dsheuristics') ?? null;
}

/** The forest name, used for configuration objects, which all domains share. */
export const domainOfConfiguration = ({ configuration }: DomainFacts): string => domainOfDn(configuration);
