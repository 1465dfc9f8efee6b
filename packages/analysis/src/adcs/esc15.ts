/**
 * ADCSESC15: a template of schema version 1 lets requesters name the subject, and its certificates do not log on by themselves. An
 * authority without the update of November 2024 (CVE-2024-49019) takes usages from the request as well, so that they do. No collector
 * reports whether an authority has it: the rule assumes that it does not, with the effort of a condition, unless someone answered for this
 * authority that it is installed; the feature `adcs_esc15` is switched off once all authorities are updated.
 *
 * Rule: `docs/rules.md#adcsesc15`. No DNS filter: the subject is made up anyway. A template that authenticates is
 * one of ADCSESC1, which needs no such authority.
 */
import { objectIdOf } from '@clew/graph';
import { authenticates, letsSubjectBeSupplied, needsNoApproval } from './certTemplates.ts';
import { enrollmentCases, escalationRule } from './escalation.ts';

export const esc15 = escalationRule({
  kind: 'ADCSESC15',
  feature: 'adcs_esc15',
  settings: ({ template: { node } }) => [
    { setting: 'template-subject', node },
    { setting: 'template-approval', node },
  ],
  cases: (context, only) =>
    context.options.rules === 'parity'
      ? []
      : enrollmentCases(context, only, {
          ca: ({ graph, options }, { node }) =>
            options.updatedAuthorities?.has(objectIdOf(graph, node)) !== true,
          // Version 1 requires no signatures, whatever the attribute says.
          template: (template) =>
            template.schemaVersion === 1 &&
            needsNoApproval(template) &&
            letsSubjectBeSupplied(template) &&
            !authenticates(template),
          dnsFilter: false,
        }),
});
