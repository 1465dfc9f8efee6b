/**
 * One run over several domains of a forest, each with its own controller. Controllers are named in options or in the configuration, which
 * only the directory can write; DNS determines their order. Names that only DNS has are not trusted: an attacker's DNS server could
 * redirect the password.
 */
import { resolveSrv } from 'node:dns/promises';
import { type DomainFacts, readDomainFacts } from '../directory/domainFacts.ts';
import { readForestHosts } from '../directory/forestDomains.ts';
import { type Controller, isRefused, kerberosTarget, type OtherDomain } from '../signIn/signIn.ts';
import { type CollectRequest, type CollectResult, collectDomain, signInAtOne } from './collectDomain.ts';

export interface ForestRequest extends Omit<CollectRequest, 'label' | 'readsConfiguration' | 'otherDomain'> {
  /** Controllers of other domains by name in upper case, if they are not found or do not resolve. */
  readonly controllersOf?: ReadonlyMap<string, readonly Controller[]>;
  /** Hosts of a domain in DNS, best first; default: its SRV records. */
  readonly hostsOf?: (domain: string) => Promise<readonly string[]>;
}

export interface ForestResult {
  /** The domain of `controllers` first. */
  readonly domains: readonly CollectResult[];
  /** Domains that were not read, and the reasons. */
  readonly unread: readonly { readonly domain: string; readonly reason: string }[];
}

/**
 * Files in one directory, each with the name of its domain. A domain whose controllers do not answer is skipped; after a refused sign-in,
 * no further domain is tried.
 *
 * @throws Error with the remedy if the first domain cannot be read
 */
export async function collectForest(request: ForestRequest): Promise<ForestResult> {
  const { facts, known, home } = await findControllers(request);
  const kdcOf = (realm: string) => {
    const [controller] = known.get(realm) ?? [];
    return controller && kerberosTarget(controller);
  };
  const collect = (domain: string, more: Partial<CollectRequest>): Promise<CollectResult> => {
    const onProgress = (text: string): void => request.onProgress?.(`${domain}: ${text}`);
    return collectDomain({ ...request, ...more, onProgress, label: domain.toLowerCase() });
  };
  const domains = [await collect(facts.domain, {})];
  const unread: { domain: string; reason: string }[] = [];
  let isOver = false;
  for (const { domain } of facts.others) {
    const controllers = known.get(domain) ?? [];
    const otherDomain: OtherDomain = { realm: domain, home, kdcOf };
    // A local SYSVOL directory belongs to the first domain.
    const more = { controllers, otherDomain, readsConfiguration: false, sysvol: undefined };
    if (isOver) unread.push({ domain, reason: 'not tried after a refused sign-in' });
    else if (controllers.length === 0)
      unread.push({ domain, reason: 'no domain controller of it is known: give one (--domain-host)' });
    else
      try {
        domains.push(await collect(domain, more));
      } catch (error) {
        request.signal?.throwIfAborted();
        unread.push({ domain, reason: (error as Error).message });
        isOver = isRefused(error);
      }
  }
  return { domains, unread };
}

interface Found {
  readonly facts: DomainFacts;
  /** Controllers by domain in upper case. */
  readonly known: ReadonlyMap<string, readonly Controller[]>;
  /** The answering controller of the account's domain. */
  readonly home: Controller;
}

async function findControllers(request: ForestRequest): Promise<Found> {
  const { hostsOf = hostsByDns, controllersOf } = request;
  const client = await signInAtOne(request);
  try {
    const facts = await readDomainFacts(client);
    refuseUnknown([...(controllersOf?.keys() ?? [])], facts);
    const hosts = await readForestHosts(client, facts.configuration);
    const known = new Map<string, readonly Controller[]>([[facts.domain, request.controllers]]);
    for (const { domain } of facts.others) {
      const given = controllersOf?.get(domain);
      const order = given === undefined ? await hostsOf(domain) : [];
      const place = (host: string): number => (order.includes(host) ? order.indexOf(host) : order.length);
      const found = [...(hosts.get(domain) ?? [])].sort((one, other) => place(one) - place(other));
      known.set(domain, given ?? found.map((host) => ({ host })));
    }
    const home = request.controllers.find(({ host }) => host === client.host) ?? request.controllers[0];
    return { facts, known, home };
  } finally {
    client.close();
  }
}

/**
 * @throws Error for a name that no domain of the forest has: otherwise it would be ignored, and the intended domain read elsewhere or not
 * at all
 */
function refuseUnknown(names: readonly string[], { domain, others }: DomainFacts): void {
  const all = [domain, ...others.map((other) => other.domain)];
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `the forest has no domain ${unknown.join(', ')} (--domain-host): its domains are ${all.join(', ')}`,
    );
}

/** Controllers of a domain from its SRV records (MS-ADTS 6.3.2.3); empty if DNS has none. */
async function hostsByDns(domain: string): Promise<readonly string[]> {
  const records = await resolveSrv(`_ldap._tcp.dc._msdcs.${domain.toLowerCase()}`).catch(() => []);
  return records
    .sort((one, other) => one.priority - other.priority || other.weight - one.weight)
    .map(({ name }) => name.toLowerCase());
}
