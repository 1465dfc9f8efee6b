/**
 * ADCSESC4: write access to a template can make it vulnerable to ADCSESC1. Full control can change every setting and allows enrollment;
 * generic write can change only settings; each of the two attribute rights can change one setting.
 *
 * Rule: `docs/rules.md#adcsesc4`. Current settings matter only for the attribute rights.
 */
import type { EdgeKindName } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import type { SettingName } from '../ways.ts';
import { certificateAuthorities } from './certificateAuthorities.ts';
import {
  authenticates,
  type CertTemplate,
  letsSubjectBeSupplied,
  needsNoApproval,
  needsNoSignature,
} from './certTemplates.ts';
import { enrollment } from './enrollment.ts';
import { type EscalationCase, escalationRule } from './escalation.ts';

const CONTROL = ['Owns', 'GenericAll', 'WriteDacl', 'WriteOwner'] as const;
/** GenericAll is missing, because it already means control. */
const ENROLL = ['Enroll', 'AllExtendedRights'] as const;
const NAME_FLAG = ['WritePKINameFlag'] as const;
const ENROLLMENT_FLAG = ['WritePKIEnrollmentFlag'] as const;

interface Branch {
  readonly applies: (template: CertTemplate) => boolean;
  readonly rights: readonly (readonly EdgeKindName[])[];
  /** The setting that such a holder cannot change. */
  readonly setting?: SettingName;
}

interface BranchCase extends EscalationCase {
  readonly setting?: SettingName;
}

const issuesLogons = (template: CertTemplate) => authenticates(template) && needsNoSignature(template);

const BRANCHES: readonly Branch[] = [
  { applies: () => true, rights: [CONTROL] },
  { applies: () => true, rights: [['GenericWrite'], ENROLL] },
  { applies: issuesLogons, rights: [ENROLL, NAME_FLAG, ENROLLMENT_FLAG] },
  {
    applies: (template) => issuesLogons(template) && letsSubjectBeSupplied(template),
    rights: [ENROLL, ENROLLMENT_FLAG],
    setting: 'template-subject',
  },
  {
    applies: (template) => issuesLogons(template) && needsNoApproval(template),
    rights: [ENROLL, NAME_FLAG],
    setting: 'template-approval',
  },
];

function* cases(context: AnalysisContext, only?: number): Generator<BranchCase> {
  const enrolled = context.use(enrollment);
  for (const ca of context.use(certificateAuthorities).active) {
    for (const template of ca.templates) {
      if (template.enrolleeSuppliesSubject === undefined) continue;
      if (template.requiresManagerApproval === undefined) continue;
      for (const { applies, rights, setting } of BRANCHES) {
        if (!applies(template)) continue;
        const onTemplate = rights.map((choice) => enrolled.holdersOf(template.node, choice));
        const sets = [enrolled.ofCa(ca), ...onTemplate];
        if (only !== undefined && !enrolled.mayCarry(only, sets)) continue;
        const principals = enrolled.cover(...sets);
        yield { ca, template, principals, targets: ca.domains, rights, setting };
      }
    }
  }
}

export const esc4 = escalationRule({
  kind: 'ADCSESC4',
  // A principal that controls a template can change its settings, except the one that an attribute right does not cover.
  settings: ({ setting, template: { node } }: BranchCase) =>
    setting === undefined ? [] : [{ setting, node }],
  cases,
});
