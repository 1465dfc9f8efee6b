/**
 * SyncedToADUser and SyncedToEntraUser: one person's account in both directories. Made in pairs, from
 * synchronized users that a tenant contains to the AD user with the same SID; nothing is invented where that
 * user was not collected. Rule: `docs/rules.md#syncedtoaduser`.
 */
import { findNode, NO_NODE } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import type { Rule } from '../rule.ts';
import { TENANTS } from './tenants.ts';

/** Property of a cloud user. */
export const SYNCHRONIZED = 'onpremsyncenabled';

export const hybridUsers: Rule = {
  name: 'hybrid users',
  produces: ['SyncedToADUser', 'SyncedToEntraUser'],
  reads: { shared: [TENANTS], nodeProperties: ['onpremid', SYNCHRONIZED] },
  derive: (context, edges) => {
    for (const { cloudUser, user } of synchronizedPairs(context)) {
      edges.add('SyncedToADUser', cloudUser, user);
      edges.add('SyncedToEntraUser', user, cloudUser);
    }
  },
  *ways(context) {
    for (const { cloudUser, user } of synchronizedPairs(context)) {
      // One change ends both.
      const needs = [{ start: cloudUser, kind: 'SyncedToADUser', end: user }] as const;
      yield { kind: 'SyncedToADUser', starts: [cloudUser], ends: [user], needs };
      yield { kind: 'SyncedToEntraUser', starts: [user], ends: [cloudUser], needs };
    }
  },
};

function* synchronizedPairs(
  context: AnalysisContext,
): Generator<{ readonly cloudUser: number; readonly user: number }> {
  const synchronized = context.properties.nodesWhere(SYNCHRONIZED, true);
  for (const tenant of context.use(TENANTS)) {
    for (const cloudUser of tenant.users.and(synchronized)) {
      const sid = context.properties.text('onpremid', cloudUser);
      if (sid === undefined || sid === '') continue;
      const user = findNode(context.graph, sid.toUpperCase());
      if (user !== NO_NODE && context.nodesOf('User').has(user)) yield { cloudUser, user };
    }
  }
}
