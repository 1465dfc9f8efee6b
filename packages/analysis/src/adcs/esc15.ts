/**
 * ADCSESC15: a template of schema version 1 lets requesters name the subject, and its certificates do not allow logon by themselves. An
 * authority without the update of November 2024 (CVE-2024-49019) also takes usages from the request, so that they do. No collector reports
 * whether an authority has the update: the rule assumes that it does not, with the effort of a condition. If someone answered that the
 * update is installed on this authority, ADCSESC15Updated lists the principals that would be affected, and whose answer excludes them. The
 * feature `adcs_esc15` is switched off once all authorities are updated.
 *
 * Rule: `docs/rules.md#adcsesc15`. No DNS filter, because the subject is made up anyway. A template that allows authentication belongs to
 * ADCSESC1, which does not need such an authority.
 */
import { objectIdOf } from '@clew/graph';
import type { AnalysisContext, AuthorityAnswer } from '../analysisContext.ts';
import type { Rule } from '../rule.ts';
import type { Way } from '../ways.ts';
import type { EnterpriseCa } from './certificateAuthorities.ts';
import { authenticates, letsSubjectBeSupplied, needsNoApproval } from './certTemplates.ts';
import { type EscalationCase, type EscalationRule, enrollmentCases, escalationRule } from './escalation.ts';

const COMMON: Pick<EscalationRule, 'feature' | 'settings'> = {
  feature: 'adcs_esc15',
  settings: ({ template: { node } }) => [
    { setting: 'template-subject', node },
    { setting: 'template-approval', node },
  ],
};

const answerFor = (
  { graph, options }: AnalysisContext,
  { node }: Pick<EnterpriseCa, 'node'>,
): AuthorityAnswer | undefined => options.updatedAuthorities?.get(objectIdOf(graph, node));

const casesWhere =
  (isUpdated: boolean): EscalationRule['cases'] =>
  (context, only): Iterable<EscalationCase> =>
    context.options.rules === 'parity'
      ? []
      : enrollmentCases(context, only, {
          ca: (_, authority) => (answerFor(context, authority) !== undefined) === isUpdated,
          // Version 1 requires no signatures, regardless of the attribute.
          template: (template) =>
            template.schemaVersion === 1 &&
            needsNoApproval(template) &&
            letsSubjectBeSupplied(template) &&
            !authenticates(template),
          dnsFilter: false,
        });

export const esc15 = escalationRule({ ...COMMON, kind: 'ADCSESC15', cases: casesWhere(false) });

const updatedCases = casesWhere(true);
const updated = escalationRule({ ...COMMON, kind: 'ADCSESC15Updated', cases: updatedCases });

/** Without ways, because plans do not change what does not count. */
export const esc15Updated: Rule = {
  ...updated,
  ways: undefined,
  derive: (context, edges) => {
    if (context.options.updatedAuthorities === undefined) return;
    for (const { ca, principals, targets } of updatedCases(context)) {
      const answer = answerFor(context, ca);
      const properties = answer && { answeredby: answer.by, answeredat: answer.at };
      for (const start of principals)
        for (const end of targets) edges.add('ADCSESC15Updated', start, end, 0, properties);
    }
  },
};

/** @returns the ways that depend on the answer, for any answer; empty if the feature is off */
export function* decidedWays(whole: AnalysisContext): Iterable<Way> {
  for (const { name, reads, feature, ways } of [esc15, updated]) {
    if (ways === undefined || (feature !== undefined && !whole.options.features.has(feature))) continue;
    yield* ways(whole.readingFor(name, reads));
  }
}
