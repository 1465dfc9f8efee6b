/**
 * ContainsIdentity and PropagatesACEsTo: variants of Contains. Experimental, because the references describe each in only one sentence.
 * Rule: `docs/rules.md#gpoappliesto`.
 */

import { NO_NODE } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import type { Rule } from '../rule.ts';

export const containment: Rule = {
  name: 'containment',
  produces: ['PropagatesACEsTo'],
  feature: 'containment_edges',
  reads: { edges: ['Contains'], nodeProperties: ['isaclprotected'] },
  derive: (context, edges) => {
    context.edges('Contains').forEach((parent, _kind, child) => {
      if (context.properties.flag('isaclprotected', child) === false) {
        edges.add('PropagatesACEsTo', parent, child);
      }
    });
  },
};

/** Visits ContainsIdentity edges of all accounts; used by the rule that produces the kind. */
export function identitiesOfDomains(
  context: AnalysisContext,
  visit: (domain: number, account: number) => void,
): void {
  context
    .nodesOf('User')
    .or(context.nodesOf('Computer'))
    .forEach((node) => {
      const domain = context.use(domains).of(node);
      if (domain !== NO_NODE) visit(domain, node);
    });
}
