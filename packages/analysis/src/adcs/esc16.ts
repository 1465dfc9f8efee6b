/**
 * ADCSESC16: the CA omits the security extension from every certificate, so all its templates behave like those of ADCSESC9: a principal
 * that controls an account that may enroll can take any name, if a domain controller trusts names (a). If the CA also lets requesters name
 * a subject, anyone who enrolls can do so (b), as in ADCSESC6a.
 *
 * Rule: `docs/rules.md#adcsesc16`.
 */
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import { CompositionBuilder, EMPTY_COMPOSITION } from '../composition.ts';
import type { Rule } from '../rule.ts';
import type { EnterpriseCa } from './certificateAuthorities.ts';
import {
  authenticates,
  namesByDns,
  namesByUpn,
  needsNoApproval,
  needsNoSignatureStrictly,
  Oid,
} from './certTemplates.ts';
import { usersWithoutDnsName } from './enrollment.ts';
import { letsRequesterNameSubject, SAN_FLAG_READS } from './esc6.ts';
import { enrollmentCases, escalationRule } from './escalation.ts';
import { overKerberos, weakMappingRule } from './weakMapping.ts';

const EXTENSION_READS = ['disabledextensionscollected', 'disabledextensions'] as const;

function omitsSecurityExtensionAlways({ properties }: AnalysisContext, ca: EnterpriseCa): boolean {
  return (
    properties.flag('disabledextensionscollected', ca.node) === true &&
    properties.texts('disabledextensions', ca.node).includes(Oid.securityExtension)
  );
}

const KIND = 'ADCSESC16';

const withNamedSubject = escalationRule({
  kind: KIND,
  settings: ({ ca, template: { node } }) => [
    { setting: 'authority-extensions', node: ca.node },
    { setting: 'authority-san-flag', node: ca.node },
    { setting: 'template-approval', node },
  ],
  reads: {
    nodeProperties: [...SAN_FLAG_READS.nodeProperties, ...EXTENSION_READS],
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

const ofVictim = {
  ...overKerberos,
  kind: KIND,
  ca: omitsSecurityExtensionAlways,
  templateSettings: ['template-approval'],
  authoritySettings: ['authority-extensions'],
} as const;

const withVictimByUpn = weakMappingRule({
  ...ofVictim,
  template: (template) => authenticates(template) && namesByUpn(template),
  victims: 'enrollable',
});

const withVictimByDns = weakMappingRule({
  ...ofVictim,
  template: (template) => authenticates(template) && namesByDns(template),
  victims: 'computers',
});

const PARTS: readonly Rule[] = [withNamedSubject, withVictimByUpn, withVictimByDns];

/** The draft of the public product has only the first way. */
const partsIn = ({ options }: AnalysisContext): readonly Rule[] =>
  options.rules === 'parity' ? [withNamedSubject] : PARTS;

export const esc16: Rule = {
  name: KIND,
  produces: [KIND],
  feature: 'adcs_esc16',
  reads: united(PARTS.map(({ reads }) => reads)),
  derive: (context, edges) => {
    for (const part of partsIn(context)) part.derive(context, edges);
  },
  *ways(context) {
    for (const part of partsIn(context)) yield* part.ways?.(context) ?? [];
  },
  compose: (context, edge) => {
    const all = new CompositionBuilder();
    for (const part of partsIn(context)) {
      const { nodes, edges } = part.compose?.(context, edge) ?? EMPTY_COMPOSITION;
      for (const node of nodes) all.addNode(node);
      for (const { start, kind, end } of edges) all.addEdge(start, kind, end);
    }
    return all.build();
  },
};

function united(parts: readonly Reads[]): Reads {
  return {
    edges: [...new Set(parts.flatMap(({ edges = [] }) => edges))],
    nodeProperties: [...new Set(parts.flatMap(({ nodeProperties = [] }) => nodeProperties))],
    shared: [...new Set(parts.flatMap(({ shared = [] }) => shared))],
  };
}
