/**
 * SyncedToADUser and SyncedToEntraUser: one person's account in both directories. Made in pairs, from
 * synchronised users that a tenant contains to the AD user with the same SID; nothing is invented where that
 * user was not collected. Rule: `docs/rules.md#syncedtoaduser`.
 */
import { findNode, NO_NODE } from '@clew/graph';
import type { Rule } from '../rule.ts';
import { TENANTS } from './tenants.ts';

export const hybridUsers: Rule = {
  name: 'hybrid users',
  produces: ['SyncedToADUser', 'SyncedToEntraUser'],
  reads: { shared: [TENANTS], nodeProperties: ['onpremid', 'onpremsyncenabled'] },
  derive: (context, edges) => {
    const synchronised = context.properties.nodesWhere('onpremsyncenabled', true);
    for (const tenant of context.use(TENANTS)) {
      for (const cloudUser of tenant.users.and(synchronised)) {
        const sid = context.properties.text('onpremid', cloudUser);
        if (sid === undefined || sid === '') continue;
        const user = findNode(context.graph, sid.toUpperCase());
        if (user === NO_NODE || !context.nodesOf('User').has(user)) continue;
        edges.add('SyncedToADUser', cloudUser, user);
        edges.add('SyncedToEntraUser', user, cloudUser);
      }
    }
  },
};
