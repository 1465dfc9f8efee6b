/**
 * Asks for each certification authority a fact that no collector reports: whether the update of November 2024 (CVE-2024-49019) is
 * installed. The answer decides whether ADCSESC15 applies there. An answered question stays in the list, so that the answer can be
 * withdrawn.
 *
 * Rule: `docs/plan.md#questions-for-people`.
 */
import { type AnalysisContext, decidedWays, environments, type Way } from '@clew/analysis';
import { reachableNodes } from '@clew/graph';
import type { AuthorityQuestion } from './plannedTypes.ts';

/** @returns questions, most users first; empty if the feature is off */
export function authorityQuestions(context: AnalysisContext): AuthorityQuestion[] {
  const { filter } = context.edges('MemberOf');
  const { principals } = context.use(environments);
  const asked = new Map<number, { templates: Set<number>; starts: Set<number> }>();
  for (const way of decidedWays(context)) {
    const place = issuedAt(way);
    if (place === undefined) continue;
    const known = asked.get(place.authority) ?? { templates: new Set<number>(), starts: new Set<number>() };
    known.templates.add(place.template);
    for (const start of way.starts) known.starts.add(start);
    asked.set(place.authority, known);
  }
  return [...asked]
    .map(([authority, { templates, starts }]) => ({
      authority,
      templates: [...templates].sort((a, b) => a - b),
      principals: reachableNodes(context.graph, starts, { direction: 'in', filter }).and(principals).size,
    }))
    .sort((a, b) => b.principals - a.principals || a.authority - b.authority);
}

function issuedAt({ needs }: Way): { readonly template: number; readonly authority: number } | undefined {
  for (const need of needs)
    if ('kind' in need && need.kind === 'PublishedTo') return { template: need.start, authority: need.end };
  return undefined;
}
