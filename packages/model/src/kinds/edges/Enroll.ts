import type { EdgeDefinition } from '../edgeDefinition.ts';

export const Enroll = {
  id: 41,
  platform: 'ad',
  origin: 'collected',
  traits: ['acl'],
  category: 'certificates',
  phrase: 'may enroll in',
  meaning: 'It can request certificates of the template, or at the CA.',
  removal:
    'Grant Enroll to the groups that need it, then remove it from this principal in the security settings of the template or CA.',
} as const satisfies EdgeDefinition;
