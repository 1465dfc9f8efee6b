import { NodeSet } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import { certificateAuthorities } from '../../../../adcs/certificateAuthorities.ts';
import {
  authenticates,
  authenticatesOverSchannel,
  type CertTemplate,
  certTemplates,
  letsSubjectBeSupplied,
  namesByDns,
  namesByUpn,
  needsNoApproval,
  needsNoSignature,
} from '../../../../adcs/certTemplates.ts';
import { enrollment } from '../../../../adcs/enrollment.ts';
import type { FindingFacts } from '../../../findingFacts.ts';
import { templateRights } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { enrolleesOf, isForAgents, publishedTemplates } from './common.ts';

export const FLAG_RIGHTS = ['WritePKINameFlag', 'WritePKIEnrollmentFlag'] as const;

/** Enterprise Domain Controllers, and the groups of domain controllers and read-only controllers. */
const CONTROLLERS = ['-S-1-5-9', '-498', '-516', '-521'] as const;

export const templateFlagsWritable = {
  kind: 'list',
  id: 'TemplateFlagsWritable',
  title: 'Template Whose Flags Outsiders May Change',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'opening' }),
  effort: 2,
  floor: 'moderate',
  family: templateRights,
  what: 'A principal outside Tier Zero can write flags of a published template that make its certificates dangerous: the flags control who supplies the subject, whether requests need approval, and whether the certificate names its owner. Principals outside Tier Zero can enroll in the template without an authorized signature.',
  needs: [],
  reads: { edges: FLAG_RIGHTS, shared: [certificateAuthorities, certTemplates, enrollment] },
  find: (facts) =>
    publishedTemplates(facts, needsNoSignature).filter(
      (template) => !writersOf(facts, template).isEmpty && !outsidersThatEnroll(facts, template).isEmpty,
    ),
  usedBy: writersOf,
} as const satisfies ListFindingType;

/** Principals outside Tier Zero that can write a flag with which the template becomes dangerous. */
function writersOf(facts: FindingFacts, node: number): NodeSet {
  const template = facts.context.use(certTemplates).get(node);
  if (template === undefined) return NodeSet.empty(facts.context.graph.nodeCount);
  const holdersOf = (...rights: readonly EdgeKindName[]): NodeSet =>
    facts
      .edges(...rights)
      .startsOf(node)
      .andNot(facts.tierZero);
  const isApprovalWritable = !holdersOf('WritePKIEnrollmentFlag').isEmpty;
  const dangerous = FLAG_RIGHTS.filter((right) =>
    right === 'WritePKINameFlag'
      ? isDangerousWithSubject(template) && (needsNoApproval(template) || isApprovalWritable)
      : isDangerousWithoutApproval(template),
  );
  return dangerous.length === 0 ? NodeSet.empty(facts.context.graph.nodeCount) : holdersOf(...dangerous);
}

const logsOn = (template: CertTemplate): boolean =>
  authenticates(template) || authenticatesOverSchannel(template);

/** The enroller names another account (ADCSESC1). If requesters supply the subject already, the right changes nothing. */
const isDangerousWithSubject = (template: CertTemplate): boolean =>
  logsOn(template) && !letsSubjectBeSupplied(template);

/** The flags remove the approval (ADCSESC1, ADCSESC3) or the security extension (ADCSESC9). */
const isDangerousWithoutApproval = (template: CertTemplate): boolean =>
  isForAgents(template) ||
  (logsOn(template) && (letsSubjectBeSupplied(template) || namesByUpn(template) || namesByDns(template)));

function outsidersThatEnroll(facts: FindingFacts, template: number): NodeSet {
  return enrolleesOf(facts, template).andNot(facts.withSuffix(facts.groups, ...CONTROLLERS));
}
