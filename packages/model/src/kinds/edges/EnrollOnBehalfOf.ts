import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';

export const EnrollOnBehalfOf = {
  id: 67,
  platform: 'ad',
  origin: 'derived',
  traits: [],
  category: 'certificates',
  phrase: 'makes enrollment agents for',
  meaning:
    'A certificate of the first template can be used to request certificates of the second on behalf of others.',
  removal: 'Remove the Certificate Request Agent usage from the first template.',
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'CertTemplate → CertTemplate: a certificate of the first template makes its holder an enrollment agent for the second.',
    'Both are published by active CAs that share a chained domain. A target of schema version 1',
    'accepts an agent without any usage, with the request agent usage or with any purpose (a template',
    'can be its own target); a target of version 2 and above requires exactly one signature with the request',
    'agent policy and accepts an agent with that usage and without any purpose.',
  ],
  removedBy: [
    'removing the request agent usage from the agent template; requiring another number of signatures on',
    'the target.',
  ],
};
