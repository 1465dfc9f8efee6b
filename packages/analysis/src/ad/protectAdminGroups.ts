/**
 * ProtectAdminGroups: from the AdminSDHolder container to every object whose access list the protection task overwrites with that of the
 * container. Rule: `docs/rules.md#protectadmingroups`.
 */
import { NO_NODE } from '@clew/graph';
import { isAdminSdHolder } from '../directory/adminSdHolder.ts';
import { domains } from '../directory/domains.ts';
import type { Rule } from '../rule.ts';

export const protectAdminGroups: Rule = {
  name: 'ProtectAdminGroups',
  produces: ['ProtectAdminGroups'],
  reads: {
    nodeProperties: ['distinguishedname', 'adminsdholderprotected'],
    shared: [domains],
  },
  derive: (context, edges) => {
    const holders = new Map<number, number>();
    context.nodesOf('Container').forEach((container) => {
      if (!isAdminSdHolder(context.properties.text('distinguishedname', container))) return;
      const domain = context.use(domains).of(container);
      if (domain !== NO_NODE && !holders.has(domain)) holders.set(domain, container);
    });
    const principals = context.nodesOf('User').or(context.nodesOf('Group')).or(context.nodesOf('Computer'));
    const { collected } = context.use(domains);
    principals.and(context.properties.nodesWhere('adminsdholderprotected', true)).forEach((node) => {
      const domain = context.use(domains).of(node);
      const holder = holders.get(domain);
      if (holder !== undefined && collected.has(domain)) edges.add('ProtectAdminGroups', holder, node);
    });
  },
};
