/**
 * HasTrustKeys: a domain holds the key of its trust account in a domain it trusts.
 * Rule: `docs/rules.md#hastrustkeys`.
 */
import { EdgeKind } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { CompositionBuilder } from '../composition.ts';
import { domains } from '../directory/domains.ts';
import type { Rule } from '../rule.ts';

export const trustKeys: Rule = {
  name: 'HasTrustKeys',
  produces: ['HasTrustKeys'],
  reads: {
    edges: ['SameForestTrust', 'CrossForestTrust'],
    nodeProperties: ['netbios', 'domainsid', 'samaccountname'],
    shared: [domains],
  },
  derive: (context, edges) => {
    const accounts = trustAccounts(context);
    context.use(domains).collected.forEach((domain) => {
      const netbios = context.properties.text('netbios', domain);
      if (netbios === undefined || netbios === '') return;
      context.edges('SameForestTrust', 'CrossForestTrust').outOf(domain, (trusted) => {
        const sid = context.properties.text('domainsid', trusted);
        if (sid === undefined || !context.use(domains).nodes.has(trusted)) return;
        const account = accounts.get(accountKey(sid, `${netbios}$`));
        if (account !== undefined) edges.add('HasTrustKeys', domain, account);
      });
    });
  },
  compose: (context, { start, end }) => {
    const builder = new CompositionBuilder();
    const home = context.use(domains).of(end);
    for (const kind of ['SameForestTrust', 'CrossForestTrust'] as const) {
      context.edges(kind).outOf(start, (trusted) => {
        if (trusted === home) builder.addEdge(start, EdgeKind[kind], trusted);
      });
    }
    return builder.build();
  },
};

/** Users whose account name ends with a dollar sign, by domain and name; the first one if two share a name. */
function trustAccounts(context: AnalysisContext): Map<string, number> {
  const accounts = new Map<string, number>();
  context.properties
    .nodesMatching('samaccountname', (value) => typeof value === 'string' && value.endsWith('$'))
    .and(context.nodesOf('User'))
    .forEach((user) => {
      const sid = context.properties.text('domainsid', user);
      const name = context.properties.text('samaccountname', user);
      if (sid === undefined || name === undefined) return;
      const key = accountKey(sid, name);
      if (!accounts.has(key)) accounts.set(key, user);
    });
  return accounts;
}

function accountKey(domainSid: string, accountName: string): string {
  return `${domainSid} ${accountName.toUpperCase()}`;
}
