/**
 * Accounts and servers of directory synchronization. The directory does not mark the servers, but the synchronization writes their names:
 * into the description of its connector account in a domain ("running on computer NAME configured to synchronize to tenant"), and into the
 * name of its account in the tenant ("Sync_NAME_0123456789ab").
 */
import type { NodeSet } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { domains } from './domains.ts';

const CONNECTOR = /^(MSOL_|AAD_|SYNC_|ADSYNCMSA)/i;
const IN_DESCRIPTION = /running on computer ['"]?([^\s'".]+)/i;
const IN_TENANT = /^SYNC_(.+)_[0-9A-F]{12}@/i;

/** Accounts that directory synchronization creates in a domain. */
export const connectorAccounts: Shared<NodeSet> = {
  name: 'connector accounts',
  reads: { nodeProperties: ['name'] },
  build: (context) => context.nodesOf('User').filter((node) => CONNECTOR.test(textOf(context, 'name', node))),
};

/** The accounts with which each server reads password hashes or writes users. */
export const synchronizationServers: Shared<ReadonlyMap<number, readonly number[]>> = {
  name: 'synchronization servers',
  reads: { nodeProperties: ['name', 'description'], shared: [connectorAccounts, domains] },
  build: (context) => {
    const found = new Map<number, number[]>();
    const wanted = wantedNames(context);
    if (wanted.length === 0) return found;
    const byName = computersByName(context, new Set(wanted.map(({ name }) => name)));
    for (const { account, name, domain } of wanted) {
      const all = byName.get(name) ?? [];
      const own = all.filter((computer) => domainOf(context, computer) === domain);
      // If several domains have a computer with that name, the server is unknown.
      const [server, ...others] = own.length > 0 ? own : all;
      if (server !== undefined && others.length === 0)
        found.set(server, [...(found.get(server) ?? []), account]);
    }
    return found;
  },
};

interface Wanted {
  readonly account: number;
  readonly name: string;
  readonly domain: number | undefined;
}

function wantedNames(context: AnalysisContext): Wanted[] {
  const found: Wanted[] = [];
  const note = (account: number, name: string | undefined, domain: number | undefined): void => {
    if (name !== undefined) found.push({ account, name: name.toUpperCase(), domain });
  };
  for (const account of context.use(connectorAccounts)) {
    const [, name] = IN_DESCRIPTION.exec(textOf(context, 'description', account)) ?? [];
    note(account, name, domainOf(context, account));
  }
  for (const account of context.nodesOf('AZUser'))
    note(account, IN_TENANT.exec(textOf(context, 'name', account))?.[1], undefined);
  return found;
}

/** Groups computers by the first part of their names. */
function computersByName(context: AnalysisContext, names: ReadonlySet<string>): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const computer of context.nodesOf('Computer')) {
    const [name = ''] = textOf(context, 'name', computer).toUpperCase().split(/[.$@]/);
    if (names.has(name)) found.set(name, [...(found.get(name) ?? []), computer]);
  }
  return found;
}

const textOf = ({ properties }: AnalysisContext, key: string, node: number): string =>
  properties.text(key, node) ?? '';

const domainOf = (context: AnalysisContext, node: number): number => context.use(domains).of(node);
