/**
 * CanAddComputer: if the machine account quota of a domain is above 0, any authenticated account can create computer accounts, and so gets
 * the rights of Domain Computers. The edge is a step, not a membership: controllers are authenticated as well, but do not enroll in
 * templates of Domain Computers.
 *
 * Rule: `docs/rules.md#canaddcomputer`.
 */
import { NO_NODE } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { firstByDomain, groupsWithSuffix, specialGroupNodes } from '../directory/specialGroups.ts';
import type { Rule } from '../rule.ts';

const DOMAIN_COMPUTERS = '-515';

/** Domain Computers groups, keyed by domain SID. */
const domainComputers: Shared<ReadonlyMap<string, number>> = {
  name: 'groups of domain computers',
  reads: { nodeProperties: ['domainsid'] },
  build: (context) => firstByDomain(context, groupsWithSuffix(context, DOMAIN_COMPUTERS)),
};

export const joiningComputers: Rule = {
  name: 'joining of computers',
  produces: ['CanAddComputer'],
  reads: { nodeProperties: ['machineaccountquota'], shared: [domains, domainComputers, specialGroupNodes] },
  derive: (context, edges) => {
    for (const { start, end } of openDomains(context)) edges.add('CanAddComputer', start, end);
  },
  *ways(context) {
    for (const { domain, start, end } of openDomains(context))
      yield {
        ...{ kind: 'CanAddComputer', starts: [start], ends: [end] },
        needs: [{ setting: 'domain-computer-quota', node: domain }],
      };
  },
};

interface OpenDomain {
  readonly domain: number;
  /** Authenticated Users of the domain. */
  readonly start: number;
  /** Domain Computers of the domain. */
  readonly end: number;
}

function openDomains(context: AnalysisContext): OpenDomain[] {
  if (context.options.rules === 'parity') return [];
  const known = context.use(domains);
  return [...known.collected].flatMap((domain) => {
    const quota = context.properties.number('machineaccountquota', domain) ?? 0;
    const sid = known.sidOf(domain);
    const start = context.use(specialGroupNodes).authenticatedUsersOf(sid);
    const end = context.use(domainComputers).get(sid);
    return quota > 0 && start !== NO_NODE && end !== undefined ? [{ domain, start, end }] : [];
  });
}
