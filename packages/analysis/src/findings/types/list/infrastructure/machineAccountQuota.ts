import { domainDefaults } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const machineAccountQuota = {
  kind: 'list',
  id: 'MachineAccountQuota',
  title: 'Ordinary Users May Join Computers',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: domainDefaults,
  remedy: {
    risk: 'A user controls the computer accounts the user created, which helps in attacks on delegation and on certificate services.',
    fix: 'Set ms-DS-MachineAccountQuota of the domain to 0, and delegate joining to a group.',
    steps: [
      'Find out who joins computers: ms-DS-CreatorSID of computer accounts names them.',
      'Let a group create computer objects in the units meant for them.',
      'Set the attribute on the domain object to 0.',
      'Narrow the user right "Add workstations to domain" on domain controllers to the same group.',
    ],
    verify: ['The attribute is 0, and an ordinary user who tries to join a test computer is refused.'],
    care: 'Imaging and self-service joining need an account of the group.',
    prevent: 'Watch event 4741 for computer accounts created by others.',
  },
  what: 'Every user of the domain may create computer accounts.',
  needs: ['machineaccountquota'],
  find: (facts) => facts.of('Domain').filter((node) => (facts.number('machineaccountquota', node) ?? 0) > 0),
} as const satisfies ListFindingType;
