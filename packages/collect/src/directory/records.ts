/** Records of collection files in the format of SharpHound 6: the parts common to all objects. */
import { createHash } from 'node:crypto';
import { DescriptorError } from '../descriptor/ids.ts';
import { readDescriptor, type SecurityDescriptor } from '../descriptor/securityDescriptor.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import type { Attributes, Entry } from '../ldap/messages.ts';
import {
  type AskedObject,
  grantedRights,
  inheritableHashes,
  inheritanceHash,
  type SchemaIds,
} from '../rights/grantedRights.ts';
import { type PolicyFilter, policyFilter } from '../rights/policyFilter.ts';
import type { ObjectType } from '../rights/wantedRights.ts';
import type { PolicySettings } from '../sysvol/policySettings.ts';
import { guidOf, sidOf, text, texts } from './entryValues.ts';
import type { ForestCatalog } from './forestCatalog.ts';
import { domainOfConfiguration, type KnownObjects } from './knownObjects.ts';
import { lastWrites, type Writers } from './lastWrites.ts';
import type { Memberships } from './memberships.ts';
import type { Notes } from './notes.ts';
import { secondsOfTime } from './times.ts';

export type Json = Record<string, unknown>;

/** Everything needed to create records. */
export interface Reading {
  readonly client: LdapClient;
  readonly known: KnownObjects;
  readonly schema: SchemaIds;
  readonly memberships: Memberships;
  readonly notes: Notes;
  /** Rights in access lists, cached by list. */
  readonly lists: Map<string, ListedRights>;
  /** Policy settings by policy name in lower case; empty if SYSVOL is not read. */
  readonly settings: Map<string, PolicySettings>;
  /** Whether SYSVOL is read. */
  readonly readsSysvol: boolean;
  /** Principals of other domains of the forest. */
  readonly catalog: ForestCatalog;
  /** Controllers, if the last writes of attributes are read. */
  readonly writers?: Writers;
}

export interface Subject {
  readonly type: ObjectType;
  readonly dn: string;
  readonly attributes: Attributes;
  readonly record: Json;
  readonly properties: Json;
  /** For notes. */
  readonly name: string;
  /** The filter of a policy with a readable access list. */
  readonly policyFilter?: PolicyFilter;
}

const BUILTIN = 'S-1-5-32';
const HANDS_DOWN: readonly ObjectType[] = ['Domain', 'OU', 'Container', 'Configuration'];

/** @returns undefined for an object without an id */
export async function commonRecord(
  reading: Reading,
  type: ObjectType,
  { dn, attributes }: Entry,
): Promise<Subject | undefined> {
  const { known, notes } = reading;
  const { facts } = known;
  const sid = sidOf(attributes);
  const guid = guidOf(attributes);
  // The container Builtin has the SID prefix of its groups, which is not an object id.
  const id = sid === '' || sid === BUILTIN ? guid : known.idOf(sid);
  if (id === '') {
    notes.add('objects without an id', dn);
    return undefined;
  }
  const isShared = dn.toLowerCase().endsWith(facts.configuration.toLowerCase());
  const domain = isShared ? domainOfConfiguration(facts) : facts.domain;
  const name = nameOf(type, attributes, facts.domain, domain);
  const properties: Json = {
    ...{ domain, name, distinguishedname: dn.toUpperCase(), objectguid: guid, isaclprotected: false },
    domainsid: isShared ? facts.forestSid : facts.sid,
    description: text(attributes, 'description') ?? null,
    whencreated: secondsOfTime(text(attributes, 'whencreated')),
  };
  if (reading.writers !== undefined) properties.lastwrites = await lastWrites(attributes, reading.writers);
  const record: Json = {
    ...{ ObjectIdentifier: id, Properties: properties, Aces: [], IsDeleted: false, IsACLProtected: false },
    ContainedBy: type === 'Domain' ? null : known.container(guidOf(attributes, 'parentguid')),
  };
  const subject: Subject = { type, dn, attributes, record, properties, name };
  await reading.catalog.loadEntry(attributes);
  const rights = await addRights(reading, subject);
  return { ...subject, policyFilter: rights?.policyFilter };
}

function nameOf(type: ObjectType, attributes: Attributes, ownDomain: string, domain: string): string {
  const plain = text(attributes, 'name') ?? '';
  const account = text(attributes, 'samaccountname');
  if (type === 'Domain') return ownDomain;
  if (type === 'Computer') {
    const host = text(attributes, 'dnshostname') ?? `${(account ?? plain).replace(/\$$/, '')}.${ownDomain}`;
    return host.toUpperCase();
  }
  const isAccount = type === 'User' || type === 'Group';
  const isDisplayed = type === 'GPO' || type === 'IssuancePolicy';
  const shown = isAccount ? account : isDisplayed ? text(attributes, 'displayname') : undefined;
  return `${shown ?? plain}@${domain}`.toUpperCase();
}

async function addRights(
  reading: Reading,
  { type, dn, attributes, record, properties }: Subject,
): Promise<ListedRights | undefined> {
  const { notes } = reading;
  const bytes = attributes.get('ntsecuritydescriptor')?.[0];
  if (bytes === undefined) {
    notes.add('access control lists that this account cannot read', dn);
    return undefined;
  }
  const objectClass = texts(attributes, 'objectclass').at(-1) ?? '';
  const rights = await listedRights(reading, bytes, { type, objectClass, hasLaps: hasLaps(attributes) }, dn);
  if (rights === undefined) return undefined;
  if (!rights.hasAccessList)
    notes.add('objects without an access control list: everyone has full access', dn);
  if (rights.isConditional) notes.add('conditional access rights, which are treated as granted', dn);
  // Copied, because others add entries.
  record.Aces = [...rights.aces];
  record.IsACLProtected = rights.isProtected;
  Object.assign(properties, rights.properties);
  if (HANDS_DOWN.includes(type)) record.InheritanceHashes = rights.inheritableHashes;
  return rights;
}

/** The rights in an access list, equal for all objects of a class with this list. */
export interface ListedRights {
  readonly aces: readonly Json[];
  readonly isProtected: boolean;
  readonly hasAccessList: boolean;
  readonly isConditional: boolean;
  readonly inheritableHashes: readonly string[];
  readonly properties: Json;
  /** Only of policies. */
  readonly policyFilter?: PolicyFilter;
}

/** Most objects in a unit have the same list, and a domain has a few hundred different ones. */
const MAX_KEPT_LISTS = 1_000;

async function listedRights(
  reading: Reading,
  bytes: Buffer,
  asked: AskedObject,
  dn: string,
): Promise<ListedRights | undefined> {
  const { lists } = reading;
  const key = `${asked.type}|${asked.objectClass}|${asked.hasLaps}|${bytes.toString('latin1')}`;
  const known = lists.get(key);
  if (known !== undefined) return known;
  const descriptor = descriptorOf(bytes, 'access lists', dn, reading.notes);
  if (descriptor === undefined) return undefined;
  const made = await rightsOfList(reading, descriptor, asked);
  if (lists.size >= MAX_KEPT_LISTS) lists.clear();
  lists.set(key, made);
  return made;
}

async function rightsOfList(
  { known, schema, memberships, catalog }: Reading,
  descriptor: SecurityDescriptor,
  asked: AskedObject,
): Promise<ListedRights> {
  await catalog.load([descriptor.owner ?? '', ...descriptor.entries.map(({ sid }) => sid)]);
  if (descriptor.entries.some(({ isDenied }) => isDenied))
    await memberships.load(descriptor.entries.filter(({ isDenied }) => !isDenied).map(({ sid }) => sid));
  const granted = grantedRights(descriptor, asked, schema, memberships);
  return {
    aces: granted.rights.map(({ sid, right, inheritedFrom }) => ({
      ...{ PrincipalSID: known.idOf(sid), PrincipalType: known.typeOf(sid), RightName: right },
      IsInherited: inheritedFrom !== undefined,
      InheritanceHash: inheritedFrom === undefined ? '' : inheritanceHash(inheritedFrom),
    })),
    isProtected: descriptor.isProtected,
    hasAccessList: descriptor.hasAccessList,
    isConditional: granted.conditional > 0,
    inheritableHashes: HANDS_DOWN.includes(asked.type) ? inheritableHashes(descriptor) : [],
    properties: {
      isaclprotected: descriptor.isProtected,
      doesanyacegrantownerrights: granted.limitsOwner,
      doesanyinheritedacegrantownerrights: granted.limitsOwnerByInheritance,
      ...(PROTECTED_TYPES.includes(asked.type) && protection(known.adminHolderList, descriptor)),
    },
    ...(asked.type === 'GPO' && { policyFilter: policyFilter(descriptor) }),
  };
}

const PROTECTED_TYPES: readonly ObjectType[] = ['User', 'Group', 'Computer'];

/** Whether the directory copied the AdminSDHolder list to the object (MS-ADTS 3.1.1.6.1). */
function protection(holder: Buffer | undefined, descriptor: SecurityDescriptor): Json {
  if (holder === undefined) return {};
  const isCopy = descriptor.isProtected && listMark(readDescriptor(holder)) === listMark(descriptor);
  return { adminsdholderprotected: isCopy };
}

const listMark = ({ entries }: SecurityDescriptor): string =>
  createHash('sha1')
    .update(
      entries
        .map(({ isDenied, mask, objectType, inheritedObjectType, sid }) =>
          [isDenied, mask, objectType, inheritedObjectType, sid].join('|'),
        )
        .sort()
        .join('\n'),
    )
    .digest('hex');

/** Reads a descriptor of an attribute; if damaged, it is noted and omitted. */
export function descriptorOf(
  bytes: Buffer,
  what: string,
  name: string,
  notes: Notes,
): SecurityDescriptor | undefined {
  try {
    return readDescriptor(bytes);
  } catch (error) {
    if (!(error instanceof DescriptorError)) throw error;
    notes.add(`${what} that are not readable: ${error.message}`, name);
    return undefined;
  }
}

export const hasLaps = (attributes: Attributes): boolean =>
  attributes.has('ms-mcs-admpwdexpirationtime') || attributes.has('mslaps-passwordexpirationtime');
