/** Facts about the object of a repair for its text: who enrolls there. */
import {
  type AnalysisContext,
  authenticates,
  type CertTemplate,
  certTemplates,
  enrollment,
  type Kept,
  largeDefaultGroups,
  letsSubjectBeSupplied,
  needsNoApproval,
  needsNoSignature,
  Oid,
} from '@clew/analysis';
import type { AuthorityNames } from './repairTextTypes.ts';

const AUTHORITIES: Kept<number, AuthorityNames> = { name: 'names of authorities' };

/** @returns undefined if the object is not a certification authority */
export function authorityNames(context: AnalysisContext, node: number): AuthorityNames | undefined {
  if (!context.nodesOf('EnterpriseCA').has(node)) return undefined;
  return context.memory.use(AUTHORITIES, node, () => ({
    isRegistryRead: context.properties.flag('casecuritycollected', node) === true,
    dangerousTemplates: dangerousTemplates(context, node),
  }));
}

/**
 * Number of templates that a default group may enroll in and whose certificates allow logon as anyone, or enrollment on behalf of others.
 */
function dangerousTemplates(context: AnalysisContext, authority: number): number {
  const known = context.use(certTemplates);
  const enrolled = context.use(enrollment);
  const everybody = largeDefaultGroups(context).all;
  return context
    .edges('PublishedTo')
    .startsOf(authority)
    .filter((node) => {
      const template = known.get(node);
      if (template === undefined || !isDangerous(template)) return false;
      return enrolled.ofTemplate(template).direct.intersects(everybody);
    }).size;
}

function isDangerous(template: CertTemplate): boolean {
  if (!needsNoApproval(template) || !needsNoSignature(template)) return false;
  const { effectiveEkus = [] } = template;
  return (
    (letsSubjectBeSupplied(template) && authenticates(template)) ||
    effectiveEkus.includes(Oid.anyPurpose) ||
    effectiveEkus.includes(Oid.certificateRequestAgent)
  );
}
