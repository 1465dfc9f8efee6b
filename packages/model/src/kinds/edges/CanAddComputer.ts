import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { SPECIAL_TOOL } from '../efforts.ts';

export const CanAddComputer = {
  id: 181,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'control',
  phrase: 'can add a computer to',
  meaning: 'Everyone who can sign in can join computers to the domain, and controls these computer accounts.',
  removal:
    'Set ms-DS-MachineAccountQuota of the domain to 0, and delegate the right to join computers to a group.',
  effort: SPECIAL_TOOL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Authenticated Users of a collected domain → its Domain Computers, where `machineaccountquota` of the',
    'domain is known and above 0. Anyone who signs in can then create computer accounts, knows their',
    'passwords, and so has the rights of Domain Computers. It is a step, not a membership: domain controllers are',
    'Authenticated Users and do not enroll in templates of Domain Computers. The user right "Add',
    'workstations to domain", which may be narrower, is not collected, so it is ignored.',
    '`CLEW_RULES=parity` does not derive it.',
  ],
  source: 'documentation of Windows (ms-DS-MachineAccountQuota); ours: the public product has no such edge.',
  removedBy: 'setting ms-DS-MachineAccountQuota to 0.',
};
