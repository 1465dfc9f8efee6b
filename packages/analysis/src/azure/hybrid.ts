/**
 * SyncedToADUser and SyncedToEntraUser: one person's account in both directories. Derived in pairs, from synchronized users in a tenant to
 * the AD user with the same SID; if that user was not collected, no edge is derived. Rule: `docs/rules.md#syncedtoaduser`.
 */
import { findNode, NO_NODE } from '@clew/graph';
import type { Shared } from '../analysisContext.ts';
import type { Rule } from '../rule.ts';
import { SYNCHRONIZED, TENANTS } from './tenants.ts';

/** Accounts of the same person in both directories, as parallel arrays. */
export interface SynchronizedPairs {
  readonly cloudUsers: readonly number[];
  readonly users: readonly number[];
}

export const synchronizedPairs: Shared<SynchronizedPairs> = {
  name: 'synchronized users',
  reads: { shared: [TENANTS], nodeProperties: ['onpremid', SYNCHRONIZED] },
  build: (context) => {
    const [cloudUsers, users]: number[][] = [[], []];
    const synchronized = context.properties.nodesWhere(SYNCHRONIZED, true);
    for (const tenant of context.use(TENANTS)) {
      for (const cloudUser of tenant.users.and(synchronized)) {
        const sid = context.properties.text('onpremid', cloudUser);
        if (sid === undefined || sid === '') continue;
        const user = findNode(context.graph, sid.toUpperCase());
        if (user === NO_NODE || !context.nodesOf('User').has(user)) continue;
        cloudUsers.push(cloudUser);
        users.push(user);
      }
    }
    return { cloudUsers, users };
  },
};

export const hybridUsers: Rule = {
  name: 'hybrid users',
  produces: ['SyncedToADUser', 'SyncedToEntraUser'],
  reads: { shared: [synchronizedPairs] },
  derive: (context, edges) => {
    const { cloudUsers, users } = context.use(synchronizedPairs);
    for (const [at, cloudUser] of cloudUsers.entries()) {
      edges.add('SyncedToADUser', cloudUser, users[at]);
      edges.add('SyncedToEntraUser', users[at], cloudUser);
    }
  },
  *ways(context) {
    const { cloudUsers, users } = context.use(synchronizedPairs);
    for (const [at, cloudUser] of cloudUsers.entries()) {
      const user = users[at];
      // One change ends both edges.
      const needs = [{ start: cloudUser, kind: 'SyncedToADUser', end: user }] as const;
      yield { kind: 'SyncedToADUser', starts: [cloudUser], ends: [user], needs };
      yield { kind: 'SyncedToEntraUser', starts: [user], ends: [cloudUser], needs };
    }
  },
};
