/** Checks what an account can read in a directory, with a few small searches before a full reading. */
import { readSid } from '../descriptor/ids.ts';
import {
  CONFIGURATION_FILTER,
  DOMAIN_ATTRIBUTES,
  DOMAIN_FILTER,
  NAMED_FILTER,
  USERS_FILTER,
} from '../directory/attributes.ts';
import { type DomainFacts, readDomainFacts, readSchemaIds } from '../directory/domainFacts.ts';
import { ACCESS_LIST_PARTS } from '../ldap/controls.ts';
import { escapeFilterValue } from '../ldap/filter.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';

export interface AccessCheck {
  readonly facts: DomainFacts;
  /** Tier Zero groups of the account, by name; it needs none of them. */
  readonly tierZeroGroups: readonly string[];
  /** Whether the account was found, so that its groups are known. */
  readonly isAccountFound: boolean;
  /** Number of sampled objects, and of those with a readable access list. */
  readonly accessLists: { readonly readable: number; readonly seen: number };
  readonly hasCertificateServices: boolean;
  readonly hasLaps: boolean;
  /** Filters of the searches of a run, for teams that monitor the directory. */
  readonly filters: readonly string[];
}

/** Relative ids of groups that control a domain or forest, and those of BUILTIN (MS-DTYP 2.4.2.4). */
const TIER_ZERO: Readonly<Record<string, string>> = {
  '512': 'Domain Admins',
  '516': 'Domain Controllers',
  '518': 'Schema Admins',
  '519': 'Enterprise Admins',
  '520': 'Group Policy Creator Owners',
  '526': 'Key Admins',
  '527': 'Enterprise Key Admins',
};
const TIER_ZERO_BUILTIN: Readonly<Record<string, string>> = {
  '544': 'Administrators',
  '548': 'Account Operators',
  '549': 'Server Operators',
  '550': 'Print Operators',
  '551': 'Backup Operators',
};

/** Number of objects whose access lists are sampled. */
const SAMPLE = 100;

/** @param account name before the `@`; undefined if unknown */
export async function checkAccess(client: LdapClient, account: string | undefined): Promise<AccessCheck> {
  const facts = await readDomainFacts(client);
  const groups = account === undefined ? undefined : await tokenGroups(client, facts, account);
  const services = `CN=Enrollment Services,CN=Public Key Services,CN=Services,${facts.configuration}`;
  const hasCertificateServices =
    (await client.readObject(services, ['cn'])) !== undefined &&
    (await client.searchAll({ base: services, scope: 'one', attributes: ['cn'] })).length > 0;
  return {
    facts,
    tierZeroGroups: (groups ?? []).flatMap((sid) => tierZeroName(sid, facts.sid) ?? []),
    isAccountFound: groups !== undefined,
    accessLists: await sampleAccessLists(client, facts),
    hasCertificateServices,
    hasLaps: (await readSchemaIds(client, facts)).laps.size > 0,
    filters: [USERS_FILTER, NAMED_FILTER, DOMAIN_FILTER, CONFIGURATION_FILTER, '(schemaIDGUID=*)'],
  };
}

/** All groups of an account, as in its tickets (MS-ADTS 3.1.1.4.5.19). */
async function tokenGroups(
  client: LdapClient,
  { base }: DomainFacts,
  account: string,
): Promise<readonly string[] | undefined> {
  const [found] = await client.searchAll({
    ...{ base, filter: `(sAMAccountName=${escapeFilterValue(account)})`, attributes: ['cn'] },
  });
  const own = found && (await client.readObject(found.dn, ['tokenGroups']));
  return own?.attributes.get('tokengroups')?.map((bytes) => readSid(bytes).sid);
}

function tierZeroName(sid: string, domainSid: string): string | undefined {
  const rid = sid.slice(sid.lastIndexOf('-') + 1);
  if (sid === `S-1-5-32-${rid}`) return TIER_ZERO_BUILTIN[rid];
  const isForestGroup = rid === '518' || rid === '519' || rid === '527';
  return sid === `${domainSid}-${rid}` || (isForestGroup && sid.startsWith('S-1-5-21-'))
    ? TIER_ZERO[rid]
    : undefined;
}

async function sampleAccessLists(
  client: LdapClient,
  { base }: DomainFacts,
): Promise<AccessCheck['accessLists']> {
  let seen = 0;
  let readable = 0;
  const sample = { base, filter: DOMAIN_FILTER, attributes: ['nTSecurityDescriptor'], pageSize: SAMPLE };
  for await (const { attributes } of client.search({ ...sample, controls: [ACCESS_LIST_PARTS] })) {
    seen += 1;
    if (attributes.has('ntsecuritydescriptor')) readable += 1;
    if (seen === SAMPLE) break;
  }
  return { readable, seen };
}

/** Number of attributes that a run requests. */
export const ATTRIBUTE_COUNT = DOMAIN_ATTRIBUTES.length;
