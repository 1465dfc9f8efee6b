/** The domain that a controller answers for, and the ids of its forest's schema. */
import { readGuid } from '../descriptor/ids.ts';
import { EXTENDED_NAMES } from '../ldap/controls.ts';
import { escapeFilterValue } from '../ldap/filter.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import type { SchemaIds } from '../rights/grantedRights.ts';
import { domainOfDn, extendedName, guidOf, sidOf, text, texts, wholeNumber } from './entryValues.ts';

export interface DomainFacts {
  /** Name in upper case: `LAB.TEST`. */
  readonly domain: string;
  readonly sid: string;
  readonly base: string;
  /** Name of the forest's first domain. */
  readonly forest: string;
  /** '' where it cannot be read. */
  readonly forestSid: string;
  readonly configuration: string;
  readonly schema: string;
  readonly netbios: string | undefined;
  /** Host of the controller that answers. */
  readonly controller: string;
  /** Number of the last change that this controller knows; other controllers count for themselves. */
  readonly highestUsn: number;
  /** Id of the controller's database; another one has other numbers. '' where it cannot be read. */
  readonly invocationId: string;
}

const ROOT_ATTRIBUTES = [
  ...['defaultNamingContext', 'configurationNamingContext', 'schemaNamingContext'],
  ...['rootDomainNamingContext', 'dnsHostName', 'highestCommittedUSN', 'dsServiceName'],
];

/** @throws Error for a server that is not a domain controller, or shows an account nothing */
export async function readDomainFacts(client: LdapClient): Promise<DomainFacts> {
  const root = (await client.readObject('', ROOT_ATTRIBUTES))?.attributes ?? new Map();
  const base = text(root, 'defaultnamingcontext');
  const configuration = text(root, 'configurationnamingcontext') ?? '';
  if (base === undefined) throw new Error(`${client.host} is not a domain controller of Active Directory`);
  const head = await client.readObject(base, ['objectSid']);
  const sid = head === undefined ? '' : sidOf(head.attributes);
  if (sid === '')
    throw new Error(`the account may not read the domain ${domainOfDn(base)}: is it an account of it?`);
  const forestBase = text(root, 'rootdomainnamingcontext') ?? base;
  const service = text(root, 'dsservicename');
  const settings = service === undefined ? undefined : await client.readObject(service, ['invocationId']);
  return {
    ...{ domain: domainOfDn(base), sid, base, configuration },
    forest: domainOfDn(forestBase),
    forestSid:
      forestBase.toLowerCase() === base.toLowerCase()
        ? sid
        : await sidOfContext(client, configuration, forestBase),
    schema: text(root, 'schemanamingcontext') ?? '',
    netbios: await partition(client, configuration, base, 'nETBIOSName').then((entry) =>
      entry === undefined ? undefined : text(entry, 'netbiosname'),
    ),
    controller: text(root, 'dnshostname') ?? client.host,
    highestUsn: wholeNumber(root, 'highestcommittedusn') ?? 0,
    invocationId: settings === undefined ? '' : guidOf(settings.attributes, 'invocationid'),
  };
}

async function partition(client: LdapClient, configuration: string, context: string, attribute: string) {
  const [entry] = await client.searchAll({
    ...{ base: `CN=Partitions,${configuration}`, scope: 'one', attributes: [attribute] },
    ...{ filter: `(nCName=${escapeFilterValue(context)})`, controls: [EXTENDED_NAMES] },
  });
  return entry?.attributes;
}

async function sidOfContext(client: LdapClient, configuration: string, context: string): Promise<string> {
  const [name] = (await partition(client, configuration, context, 'nCName'))?.get('ncname') ?? [];
  return name === undefined ? '' : extendedName(name).sid;
}

const LAPS_ATTRIBUTES: readonly string[] = ['ms-mcs-admpwd', 'mslaps-password', 'mslaps-encryptedpassword'];

/** Ids of classes and attributes; those of LAPS differ from forest to forest. */
export async function readSchemaIds(client: LdapClient, { schema }: DomainFacts): Promise<SchemaIds> {
  const classes = new Map<string, string>();
  const laps = new Set<string>();
  const setOf = new Map<string, string>();
  const attributes = ['lDAPDisplayName', 'schemaIDGUID', 'attributeSecurityGUID', 'objectClass'];
  for await (const entry of client.search({
    base: schema,
    scope: 'one',
    filter: '(schemaIDGUID=*)',
    attributes,
  })) {
    const name = text(entry.attributes, 'ldapdisplayname')?.toLowerCase() ?? '';
    const id = guidOf(entry.attributes, 'schemaidguid').toLowerCase();
    if (texts(entry.attributes, 'objectclass').includes('classSchema')) classes.set(name, id);
    if (LAPS_ATTRIBUTES.includes(name)) laps.add(id);
    const set = entry.attributes.get('attributesecurityguid')?.[0];
    if (set !== undefined) setOf.set(id, readGuid(set));
  }
  return { laps, setOf, classId: (name) => classes.get(name.toLowerCase()) ?? '' };
}
