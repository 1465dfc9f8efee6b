/**
 * Servers that run directory synchronization. Nothing in the directory marks them; the synchronization itself writes their names: into
 * the description of the connector account that it makes in a domain ("running on computer NAME configured to synchronize to
 * tenant"), and into the name of its account in the tenant ("Sync_NAME_0123456789ab").
 */
import { NodeSet } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { connectorAccounts } from './common.ts';

const IN_DESCRIPTION = /running on computer ['"]?([^\s'".]+)/i;
const IN_TENANT = /^SYNC_(.+)_[0-9A-F]{12}@/i;

/** The accounts with which each server reads the password hashes or writes the users. */
export function synchronizationServers(facts: FindingFacts): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  const wanted = wantedNames(facts);
  if (wanted.length === 0) return found;
  const byName = computersByName(facts, new Set(wanted.map(({ name }) => name)));
  for (const { account, name, domain } of wanted) {
    const all = byName.get(name) ?? [];
    const own = all.filter((computer) => facts.domainOf(computer) === domain);
    // Where several domains have a computer of that name, it is not known which one is meant.
    const [server, ...others] = own.length > 0 ? own : all;
    if (server !== undefined && others.length === 0)
      found.set(server, [...(found.get(server) ?? []), account]);
  }
  return found;
}

interface Wanted {
  readonly account: number;
  readonly name: string;
  readonly domain: number | undefined;
}

function wantedNames(facts: FindingFacts): Wanted[] {
  const found: Wanted[] = [];
  const note = (account: number, name: string | undefined, domain: number | undefined): void => {
    if (name !== undefined) found.push({ account, name: name.toUpperCase(), domain });
  };
  for (const account of connectorAccounts(facts))
    note(account, IN_DESCRIPTION.exec(facts.text('description', account))?.[1], facts.domainOf(account));
  for (const account of facts.of('AZUser'))
    note(account, IN_TENANT.exec(facts.name(account))?.[1], undefined);
  return found;
}

/** Groups computers by the first part of their names. */
function computersByName(facts: FindingFacts, names: ReadonlySet<string>): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const computer of facts.computers) {
    const [name = ''] = facts.name(computer).toUpperCase().split(/[.$@]/);
    if (names.has(name)) found.set(name, [...(found.get(name) ?? []), computer]);
  }
  return found;
}

export const serversOfSynchronization = (facts: FindingFacts): NodeSet =>
  NodeSet.of(
    facts.context.graph.nodeCount,
    [...synchronizationServers(facts).keys()].sort((a, b) => a - b),
  );
