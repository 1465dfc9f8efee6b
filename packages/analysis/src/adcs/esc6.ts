/**
 * ADCSESC6a, ADCSESC6b: the CA lets every requester name an additional subject. Over Kerberos that requires a template without the security
 * extension (6a); over Schannel, a domain controller that maps UPNs (6b).
 *
 * Rule: `docs/rules.md#adcsesc6a`.
 */
import type { AnalysisContext } from '../analysisContext.ts';
import type { EnterpriseCa } from './certificateAuthorities.ts';
import {
  authenticates,
  authenticatesOverSchannel,
  needsNoApproval,
  needsNoSignature,
  omitsSecurityExtension,
} from './certTemplates.ts';
import { usersWithoutDnsName } from './enrollment.ts';
import { enrollmentCases, escalationRule } from './escalation.ts';
import { mappingState } from './mappingState.ts';

const SAN_FLAG_PROPERTIES = ['isuserspecifiessanenabledcollected', 'isuserspecifiessanenabled'] as const;

/** The registry of the CA was read, and allows requesters to specify the subject alternative name. */
export function letsRequesterNameSubject(context: AnalysisContext, ca: EnterpriseCa): boolean {
  return SAN_FLAG_PROPERTIES.every((key) => context.properties.flag(key, ca.node) === true);
}

export const SAN_FLAG_READS = { nodeProperties: SAN_FLAG_PROPERTIES } as const;

export const esc6a = escalationRule({
  kind: 'ADCSESC6a',
  settings: ({ ca, template: { node } }) => [
    { setting: 'authority-san-flag', node: ca.node },
    { setting: 'template-security-extension', node },
    { setting: 'template-approval', node },
  ],
  reads: { ...SAN_FLAG_READS, shared: [usersWithoutDnsName] },
  cases: (context, only) =>
    enrollmentCases(context, only, {
      ca: letsRequesterNameSubject,
      template: (template) =>
        needsNoApproval(template) &&
        needsNoSignature(template) &&
        omitsSecurityExtension(template) &&
        authenticates(template),
      dnsFilter: true,
    }),
});

export const esc6b = escalationRule({
  kind: 'ADCSESC6b',
  settings: ({ ca, template: { node } }) => [
    { setting: 'authority-san-flag', node: ca.node },
    { setting: 'template-approval', node },
  ],
  settingsOf: (domain) => [{ setting: 'controllers-certificate-mapping', node: domain }],
  reads: { ...SAN_FLAG_READS, shared: [mappingState, usersWithoutDnsName] },
  cases: (context, only) =>
    enrollmentCases(context, only, {
      ca: letsRequesterNameSubject,
      template: (template) =>
        needsNoApproval(template) && needsNoSignature(template) && authenticatesOverSchannel(template),
      dnsFilter: true,
      targets: (_, ca) =>
        ca.domains.filter((domain) => !context.use(mappingState).upnMappingControllers(domain).isEmpty),
    }),
  explain: (context, sketch, _found, domain) => {
    sketch.addControllers(context.use(mappingState).upnMappingControllers(domain));
  },
});
