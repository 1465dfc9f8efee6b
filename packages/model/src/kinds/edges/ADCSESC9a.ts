import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { TWO_REQUESTS } from '../efforts.ts';
import { TEMPLATE_ENROLLMENT } from '../removals.ts';

export const ADCSESC9a = {
  id: 75,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'certificates',
  phrase: "can get a certificate in another's name in",
  meaning: 'Certificates without the security extension are mapped only by name.',
  removal: TEMPLATE_ENROLLMENT,
  effort: TWO_REQUESTS,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Domain: has GenericAll, GenericWrite, Owns, WriteOwner or WriteDacl on a user or',
    'computer that can enroll in a template that is issued freely, authenticates, omits the security',
    "extension and contains the UPN of its holder, and the domain's forest has weak binding. The group in the",
    'access control list gets the edge. Feature `adcs_esc9`.',
  ],
  removedBy: [
    'clearing "no security extension"; full enforcement (2) on every domain controller of the forest;',
    'removing write access to the victims.',
  ],
};
