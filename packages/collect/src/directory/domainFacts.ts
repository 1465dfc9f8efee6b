/** The domain of a controller, and the schema ids of its forest. */
import { readGuid } from '../descriptor/ids.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import type { SchemaIds } from '../rights/grantedRights.ts';
import { domainOfDn, guidOf, sidOf, text, texts, wholeNumber } from './entryValues.ts';
import { type ForestDomain, readForestDomains } from './forestDomains.ts';

export interface DomainFacts {
  /** Name in upper case: `LAB.TEST`. */
  readonly domain: string;
  readonly sid: string;
  readonly base: string;
  /** Name of the forest root domain. */
  readonly forest: string;
  /** '' if it cannot be read. */
  readonly forestSid: string;
  readonly configuration: string;
  readonly schema: string;
  readonly netbios: string | undefined;
  /** Host of the answering controller. */
  readonly controller: string;
  /** Highest change number of this controller; other controllers have their own numbers. */
  readonly highestUsn: number;
  /** Id of the controller's database; another database has other numbers. '' if it cannot be read. */
  readonly invocationId: string;
  /** Other domains of the forest. */
  readonly others: readonly ForestDomain[];
}

const ROOT_ATTRIBUTES = [
  ...['defaultNamingContext', 'configurationNamingContext', 'schemaNamingContext'],
  ...['rootDomainNamingContext', 'dnsHostName', 'highestCommittedUSN', 'dsServiceName'],
];

/** @throws Error if the server is not a domain controller, or shows the account nothing */
export async function readDomainFacts(client: LdapClient): Promise<DomainFacts> {
  const root = (await client.readObject('', ROOT_ATTRIBUTES))?.attributes ?? new Map();
  const base = text(root, 'defaultnamingcontext');
  const configuration = text(root, 'configurationnamingcontext') ?? '';
  if (base === undefined) throw new Error(`${client.host} is not an Active Directory domain controller`);
  const head = await client.readObject(base, ['objectSid']);
  const sid = head === undefined ? '' : sidOf(head.attributes);
  if (sid === '')
    throw new Error(`the account cannot read the domain ${domainOfDn(base)}: does the account belong to it?`);
  const forestBase = text(root, 'rootdomainnamingcontext') ?? base;
  const service = text(root, 'dsservicename');
  const settings = service === undefined ? undefined : await client.readObject(service, ['invocationId']);
  const domains = await readForestDomains(client, configuration);
  const ofContext = (context: string): ForestDomain | undefined =>
    domains.find((one) => one.base.toLowerCase() === context.toLowerCase());
  const isFirst = forestBase.toLowerCase() === base.toLowerCase();
  return {
    ...{ domain: domainOfDn(base), sid, base, configuration },
    forest: domainOfDn(forestBase),
    forestSid: isFirst ? sid : (ofContext(forestBase)?.sid ?? ''),
    schema: text(root, 'schemanamingcontext') ?? '',
    netbios: ofContext(base)?.netbios,
    controller: text(root, 'dnshostname') ?? client.host,
    highestUsn: wholeNumber(root, 'highestcommittedusn') ?? 0,
    invocationId: settings === undefined ? '' : guidOf(settings.attributes, 'invocationid'),
    others: domains.filter((one) => one !== ofContext(base)),
  };
}

const LAPS_ATTRIBUTES: readonly string[] = ['ms-mcs-admpwd', 'mslaps-password', 'mslaps-encryptedpassword'];

/** Ids of classes and attributes; the ids of LAPS differ between forests. */
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
