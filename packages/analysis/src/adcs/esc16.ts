/**
 * ADCSESC16 (experimental): the CA leaves the security extension out of every certificate and lets requesters
 * name an additional subject. A CA that only leaves the extension out gives no edge.
 *
 * Rule: `docs/rules.md#adcsesc16`.
 */
import type { AnalysisContext } from '../analysisContext.ts';
import type { EnterpriseCa } from './certificateAuthorities.ts';
import { authenticates, needsNoApproval, needsNoSignatureStrictly, Oid } from './certTemplates.ts';
import { usersWithoutDnsName } from './enrollment.ts';
import { letsRequesterNameSubject, SAN_FLAG_READS } from './esc6.ts';
import { enrollmentCases, escalationRule } from './escalation.ts';

function omitsSecurityExtensionAlways({ properties }: AnalysisContext, ca: EnterpriseCa): boolean {
  return (
    properties.flag('disabledextensionscollected', ca.node) === true &&
    properties.texts('disabledextensions', ca.node).includes(Oid.securityExtension)
  );
}

export const esc16 = escalationRule({
  kind: 'ADCSESC16',
  settings: ({ ca, template: { node } }) => [
    { setting: 'authority-extensions', node: ca.node },
    { setting: 'authority-san-flag', node: ca.node },
    { setting: 'template-approval', node },
  ],
  feature: 'adcs_esc16',
  reads: {
    nodeProperties: [...SAN_FLAG_READS.nodeProperties, 'disabledextensionscollected', 'disabledextensions'],
    shared: [usersWithoutDnsName],
  },
  cases: (context, only) =>
    enrollmentCases(context, only, {
      ca: (_, ca) => letsRequesterNameSubject(context, ca) && omitsSecurityExtensionAlways(context, ca),
      template: (template) =>
        needsNoApproval(template) && authenticates(template) && needsNoSignatureStrictly(template),
      dnsFilter: true,
    }),
});
