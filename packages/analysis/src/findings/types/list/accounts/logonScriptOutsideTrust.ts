import type { NodeSet } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { exposedSecrets } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const logonScriptOutsideTrust = {
  kind: 'list',
  id: 'LogonScriptOutsideTrust',
  title: 'Logon Script on a Path Ordinary Users Can Change',
  ...classed({ platform: 'ad', category: 'LP', scope: 'tier-zero', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: exposedSecrets,
  remedy: {
    risk: 'Anyone who can change the script or controls its host decides which program runs at the next logon of the privileged user.',
    fix: 'Move the script to the NETLOGON share of the domain, or remove it from the account.',
    verify: ['The logon script of the account is empty, or is a path in NETLOGON.'],
  },
  what: 'The logon script of a Tier Zero user is on a host outside Tier Zero.',
  needs: ['logonscript'],
  reads: { nodeProperties: ['netbios', 'samaccountname'] },
  find: scriptsOutside,
  seenBy: 'pwdlastset',
} as const satisfies ListFindingType;

/** A path without a host refers to the NETLOGON share of a domain controller. */
function scriptsOutside(facts: FindingFacts): NodeSet {
  const users = facts.users
    .and(facts.tierZero)
    .filter((node) => hostOf(facts.text('logonscript', node)) !== '');
  if (users.isEmpty) return users;
  const trusted = trustedHosts(facts);
  return users.filter((node) => !trusted.has(hostOf(facts.text('logonscript', node))));
}

/** Parses `\\HOST\share\...`. @returns the host in upper case, without its port; empty for other paths */
function hostOf(path: string): string {
  return (/^[\\/]{2}([^\\/@]+)/.exec(path.trim())?.[1] ?? '').toUpperCase();
}

/** Names of domains (shares of their controllers), and long and short names of Tier Zero computers. */
function trustedHosts(facts: FindingFacts): ReadonlySet<string> {
  const hosts = new Set<string>();
  facts.of('Domain').forEach((domain) => {
    const name = facts.name(domain).toUpperCase();
    hosts.add(name).add(name.split('.')[0]).add(facts.text('netbios', domain).toUpperCase());
  });
  facts.computers.and(facts.tierZero).forEach((computer) => {
    const name = facts.name(computer).toUpperCase();
    hosts.add(name).add(name.split('.')[0]);
    hosts.add(facts.text('samaccountname', computer).toUpperCase().replace(/\$$/, ''));
  });
  hosts.delete('');
  return hosts;
}
