/** Certification authorities and templates, whoever may use them. Shared reference `findings.md` 2.13. */
import type { NodeSet } from '@clew/graph';
import { type EdgeKindName, LARGE_DEFAULT_GROUPS } from '@clew/model';
import { certificateAuthorities } from '../../adcs/certificateAuthorities.ts';
import {
  authenticates,
  type CertTemplate,
  certTemplates,
  letsSubjectBeSupplied,
  needsNoApproval,
  needsNoSignature,
  Oid,
  omitsSecurityExtension,
} from '../../adcs/certTemplates.ts';
import type { FindingFacts } from '../findingFacts.ts';
import type { ConditionGroup } from './condition.ts';

/** Rights on a template by which one enrols in it. */
const ENROLLING: readonly EdgeKindName[] = ['Enroll', 'GenericAll', 'AllExtendedRights'];

export const CERTIFICATE_CONDITIONS: ConditionGroup = {
  reads: {
    edges: ['ManageCA', 'ManageCertificates', 'OIDGroupLink', ...ENROLLING],
    nodeProperties: [
      'isuserspecifiessanenabled',
      'hasvulnerableendpoint',
      'rpcencryptionenforced',
      'disabledextensions',
      'roleseparationenabled',
      'hasenrollmentagentrestrictions',
      'unresolvedpublishedtemplates',
    ],
    shared: [certificateAuthorities, certTemplates],
  },
  conditions: {
    CAEditfFlag: { find: (facts) => authoritiesWhere(facts, 'isuserspecifiessanenabled', true) },
    CAWebEnrollmentRelay: { find: (facts) => authoritiesWhere(facts, 'hasvulnerableendpoint', true) },
    CAUnencryptedRPC: { find: (facts) => authoritiesWhere(facts, 'rpcencryptionenforced', false) },
    CASecurityExtensionDisabled: {
      find: (facts) =>
        facts
          .of('EnterpriseCA')
          .filter((node) => facts.texts('disabledextensions', node).includes(Oid.securityExtension)),
    },
    CANoRoleSeparation: {
      find: (facts) =>
        authoritiesWhere(facts, 'roleseparationenabled', false).filter((node) =>
          facts.edges('ManageCA').startsOf(node).intersects(facts.edges('ManageCertificates').startsOf(node)),
        ),
    },
    CANoAgentRestrictions: {
      find: (facts) => {
        const publishing = new Set(
          facts.context
            .use(certificateAuthorities)
            .all.filter(({ templates }) => templates.some(isForAgents))
            .map(({ node }) => node),
        );
        return authoritiesWhere(facts, 'hasenrollmentagentrestrictions', false).filter((node) =>
          publishing.has(node),
        );
      },
    },
    TemplateESC1: {
      find: (facts) =>
        publishedTemplates(
          facts,
          (template) =>
            letsSubjectBeSupplied(template) &&
            authenticates(template) &&
            needsNoApproval(template) &&
            needsNoSignature(template),
        ),
    },
    TemplateESC2: {
      find: (facts) =>
        publishedTemplates(facts, (template) => isForAnyPurpose(template) && needsNoApproval(template)),
    },
    TemplateAgentOpen: {
      find: (facts) => {
        const everybody = facts.withSuffix(facts.groups, ...LARGE_DEFAULT_GROUPS);
        return publishedTemplates(facts, isForAgents).filter((node) =>
          facts
            .edges(...ENROLLING)
            .startsOf(node)
            .intersects(everybody),
        );
      },
    },
    TemplateNoSecurityExtension: {
      find: (facts) =>
        publishedTemplates(facts, (template) => authenticates(template) && omitsSecurityExtension(template)),
    },
    TemplateLinkedToPrivilegedGroup: {
      find: (facts) =>
        facts
          .of('IssuancePolicy')
          .filter((policy) => facts.edges('OIDGroupLink').endsOf(policy).intersects(facts.tierZero)),
    },
    TemplatePublishedUnresolved: {
      find: (facts) =>
        facts
          .of('EnterpriseCA')
          .filter((node) => facts.texts('unresolvedpublishedtemplates', node).some((name) => name !== '')),
    },
  },
};

function authoritiesWhere(facts: FindingFacts, key: string, value: boolean): NodeSet {
  return facts.of('EnterpriseCA').and(facts.is(key, value));
}

function publishedTemplates(facts: FindingFacts, test: (template: CertTemplate) => boolean): NodeSet {
  const authorities = facts.context.use(certificateAuthorities);
  const templates = facts.context.use(certTemplates);
  return facts.of('CertTemplate').filter((node) => {
    const template = templates.get(node);
    return template !== undefined && authorities.publishersOf(node).length > 0 && test(template);
  });
}

/** A template without any usage is good for all of them. */
function isForAnyPurpose({ effectiveEkus }: CertTemplate): boolean {
  return (
    effectiveEkus !== undefined && (effectiveEkus.length === 0 || effectiveEkus.includes(Oid.anyPurpose))
  );
}

function isForAgents({ effectiveEkus }: CertTemplate): boolean {
  return effectiveEkus?.includes(Oid.certificateRequestAgent) === true;
}
