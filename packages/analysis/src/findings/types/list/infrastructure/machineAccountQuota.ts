import { domainDefaults } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const machineAccountQuota = {
  kind: 'list',
  id: 'MachineAccountQuota',
  title: 'Ordinary Users May Join Computers',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: domainDefaults,
  remedy: {
    risk: 'Users control the computer accounts that they create. Attackers use such accounts against delegation and AD CS.',
    fix: 'Set ms-DS-MachineAccountQuota of the domain to 0, and delegate the right to join computers to a group.',
    steps: [
      'Find out who joins computers: ms-DS-CreatorSID of a computer account contains the SID of its creator.',
      'Allow a group to create computer objects in the organizational units for computers.',
      'Set the attribute on the domain object to 0.',
      'On domain controllers, grant the user right "Add workstations to domain" only to the same group.',
    ],
    verify: ['The attribute is 0, and an ordinary user cannot join a test computer.'],
    care: 'Imaging and self-service joins need an account in the group.',
    prevent: 'Monitor event 4741 for computer accounts that other principals create.',
  },
  what: 'Every user of the domain can create computer accounts.',
  needs: ['machineaccountquota'],
  find: (facts) => facts.of('Domain').filter((node) => (facts.number('machineaccountquota', node) ?? 0) > 0),
} as const satisfies ListFindingType;
