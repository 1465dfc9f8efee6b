import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';

export const ProtectAdminGroups = {
  id: 56,
  platform: 'ad',
  origin: 'derived',
  traits: [],
  category: 'structure',
  phrase: 'protects',
  meaning: 'The access control list of AdminSDHolder is copied to the object.',
  removal: 'Nothing to remove: secure the AdminSDHolder container.',
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'AdminSDHolder container → User, Group or Computer of the same collected domain with',
    "`adminsdholderprotected` true: SDProp copies the container's access control list to it. Not",
    'traversable.',
  ],
  source: 'released behavior.',
  removedBy: [
    'nothing; secure the container. An object that is no longer privileged needs its `adminCount`',
    'cleared and inheritance enabled.',
  ],
};
