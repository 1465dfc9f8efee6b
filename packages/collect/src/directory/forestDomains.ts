/** Domains of a forest from its configuration, which all its controllers have (MS-ADTS 6.1.1.2.1.1). */
import { EXTENDED_NAMES } from '../ldap/controls.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import { domainOfDn, extendedName, hasBits, text, wholeNumber } from './entryValues.ts';

export interface ForestDomain {
  /** Name in upper case: `SOUTH.LAB.TEST`. */
  readonly domain: string;
  readonly base: string;
  /** '' if the controller does not provide it. */
  readonly sid: string;
  readonly netbios: string | undefined;
}

/** Bit of systemFlags: the context is a domain (FLAG_CR_NTDS_DOMAIN, MS-ADTS 2.2.10). */
const IS_DOMAIN = 2;

/** Contexts of the forest that are domains, including the current one. */
export async function readForestDomains(
  client: LdapClient,
  configuration: string,
): Promise<readonly ForestDomain[]> {
  const found = await client.searchAll({
    ...{ base: `CN=Partitions,${configuration}`, scope: 'one', filter: '(objectClass=crossRef)' },
    ...{ attributes: ['nCName', 'nETBIOSName', 'systemFlags'], controls: [EXTENDED_NAMES] },
  });
  return found.flatMap(({ attributes }) => {
    const [context] = attributes.get('ncname') ?? [];
    if (context === undefined || !hasBits(wholeNumber(attributes, 'systemflags') ?? 0, IS_DOMAIN)) return [];
    const { dn: base, sid } = extendedName(context);
    return [{ domain: domainOfDn(base), base, sid, netbios: text(attributes, 'netbiosname') }];
  });
}

/** Hosts of controllers by domain name; each host has an account in a domain (`serverReference`). */
export async function readForestHosts(
  client: LdapClient,
  configuration: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const hosts = new Map<string, string[]>();
  const servers = {
    ...{ base: `CN=Sites,${configuration}`, filter: '(&(objectClass=server)(serverReference=*))' },
    attributes: ['dNSHostName', 'serverReference'],
  };
  for await (const { attributes } of client.search(servers)) {
    const host = text(attributes, 'dnshostname')?.toLowerCase();
    const domain = domainOfDn(text(attributes, 'serverreference') ?? '');
    if (host === undefined || host === '' || domain === '') continue;
    hosts.set(domain, [...(hosts.get(domain) ?? []), host]);
  }
  return hosts;
}
