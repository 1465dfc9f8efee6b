/**
 * The domains of a forest and their controllers. Controllers are named in options or in the configuration, which only the directory can
 * write; DNS determines their order. Names that only DNS has are not trusted: an attacker's DNS server could redirect the password.
 */
import { resolveSrv } from 'node:dns/promises';
import { type DomainFacts, readDomainFacts } from '../directory/domainFacts.ts';
import { readForestHosts } from '../directory/forestDomains.ts';
import { type Controller, kerberosTarget } from '../signIn/signIn.ts';
import { type CollectRequest, type SignInAtOneRequest, signInAtOne } from './collectDomain.ts';

export interface FindForestRequest extends Omit<SignInAtOneRequest, 'otherDomain'> {
  /** Controllers of other domains by name in upper case, if they are not found or do not resolve. */
  readonly controllersOf?: ReadonlyMap<string, readonly Controller[]>;
  /** Hosts of a domain in DNS, best first; default: its SRV records. */
  readonly hostsOf?: (domain: string) => Promise<readonly string[]>;
}

export interface FoundDomain {
  /** Name in upper case. */
  readonly domain: string;
  /** '' if the controller does not provide it. */
  readonly sid: string;
  /** How its request differs from the request for the first domain; undefined if no controller of it is known. */
  readonly parts: Partial<CollectRequest> | undefined;
}

/** Why a domain without `parts` cannot be read. */
export const NO_CONTROLLER = 'no domain controller of it is known: give one (--domain-host)';

/** @returns the domain of `controllers` first @throws Error with the remedy if that domain does not answer */
export async function findForest(request: FindForestRequest): Promise<readonly FoundDomain[]> {
  const { facts, known, home } = await findControllers(request);
  const kdcOf = (realm: string) => {
    const [controller] = known.get(realm) ?? [];
    return controller && kerberosTarget(controller);
  };
  return [
    { domain: facts.domain, sid: facts.sid, parts: { label: facts.domain.toLowerCase() } },
    ...facts.others.map(({ domain, sid }) => {
      const controllers = known.get(domain) ?? [];
      const parts = {
        ...{ controllers, label: domain.toLowerCase(), otherDomain: { realm: domain, home, kdcOf } },
        // A local SYSVOL directory belongs to the first domain.
        ...{ readsConfiguration: false, sysvol: undefined },
      };
      return { domain, sid, parts: controllers.length === 0 ? undefined : parts };
    }),
  ];
}

interface Found {
  readonly facts: DomainFacts;
  /** Controllers by domain in upper case. */
  readonly known: ReadonlyMap<string, readonly Controller[]>;
  /** The answering controller of the account's domain. */
  readonly home: Controller;
}

async function findControllers(request: FindForestRequest): Promise<Found> {
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
