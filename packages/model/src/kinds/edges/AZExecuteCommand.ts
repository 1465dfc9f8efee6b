import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { FITTING_TARGET } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZExecuteCommand = {
  id: 175,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable', 'azureControl', 'azureExecution'],
  category: 'cloudResources',
  phrase: 'runs commands on',
  meaning: 'It can run commands on the device.',
  removal: ROLE_ASSIGNMENT,
  effort: FITTING_TARGET,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: ['Principal → AZDevice with a Windows operating system: effective member of Intune Administrator.'],
  source: 'released behavior; the public product stops at the first tenant without devices.',
  removedBy: 'removing the role; managing privileged devices in a separate scope.',
};
