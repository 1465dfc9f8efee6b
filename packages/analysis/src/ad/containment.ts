/**
 * ContainsIdentity and PropagatesACEsTo: finer forms of Contains. Experimental: the references describe them in
 * one sentence each. Rule: `docs/rules.md#gpoappliesto`.
 */

import { NO_NODE } from '@clew/graph';
import { domains } from '../directory/domains.ts';
import type { Rule } from '../rule.ts';

export const containment: Rule = {
  name: 'containment',
  produces: ['ContainsIdentity', 'PropagatesACEsTo'],
  feature: 'containment_edges',
  reads: { edges: ['Contains'], nodeProperties: ['isaclprotected'], shared: [domains] },
  derive: (context, edges) => {
    context
      .nodesOf('User')
      .or(context.nodesOf('Computer'))
      .forEach((node) => {
        const domain = context.use(domains).of(node);
        if (domain !== NO_NODE) edges.add('ContainsIdentity', domain, node);
      });
    context.edges('Contains').forEach((parent, _kind, child) => {
      if (context.properties.flag('isaclprotected', child) === false) {
        edges.add('PropagatesACEsTo', parent, child);
      }
    });
  },
};
