/**
 * SynchronizesAs: a directory synchronization server stores the credentials of its connector accounts.
 *
 * Rule: `docs/rules.md#synchronizesas`.
 */
import { synchronizationServers } from '../directory/synchronization.ts';
import type { Rule } from '../rule.ts';

export const synchronization: Rule = {
  name: 'directory synchronization',
  produces: ['SynchronizesAs'],
  reads: { shared: [synchronizationServers] },
  derive: (context, edges) => {
    if (context.options.rules === 'parity') return;
    for (const [server, accounts] of context.use(synchronizationServers))
      for (const account of accounts) edges.add('SynchronizesAs', server, account);
  },
};
