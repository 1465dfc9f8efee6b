/**
 * ADCSESC1: requesters name the subject of a certificate that allows logon.
 *
 * Rule: `docs/rules.md#adcsesc1`. No DNS filter, because the subject is made up anyway.
 */
import { authenticates, letsSubjectBeSupplied, needsNoApproval, needsNoSignature } from './certTemplates.ts';
import { enrollmentCases, escalationRule } from './escalation.ts';

export const esc1 = escalationRule({
  kind: 'ADCSESC1',
  settings: ({ template: { node } }) => [
    { setting: 'template-subject', node },
    { setting: 'template-approval', node },
  ],
  cases: (context, only) =>
    enrollmentCases(context, only, {
      template: (template) =>
        needsNoApproval(template) &&
        authenticates(template) &&
        letsSubjectBeSupplied(template) &&
        needsNoSignature(template),
      dnsFilter: false,
    }),
});
