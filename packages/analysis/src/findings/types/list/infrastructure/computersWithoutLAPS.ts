import { managedPasswords } from '../../families/directory.ts';
import { REFERENCE } from '../../family.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const computersWithoutLAPS = {
  kind: 'list',
  id: 'ComputersWithoutLAPS',
  title: 'Computers Without Managed Local Administrator Password',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: managedPasswords,
  remedy: {
    risk: 'Where local administrators share a password, anyone who learns it on one computer is administrator of all.',
    fix: 'Deploy Windows LAPS to the computer.',
    steps: [
      'Extend the schema for Windows LAPS and let computers write their own password.',
      'Set the policy for the unit of the computer, with encryption for a group that may read.',
      'Remove other local accounts with administrative rights.',
    ],
    verify: [
      'The computer has a time of password expiry in the directory, and the old local password fails.',
    ],
    care: 'Scripts and people who know the old local password lose their access.',
    prevent: 'Link the policy to every unit that holds computers.',
    references: [REFERENCE.laps],
  },
  what: 'An enabled Windows computer has no managed password for its local administrator.',
  needs: ['haslaps'],
  reads: { nodeProperties: ['operatingsystem'] },
  find: (facts) =>
    facts
      .enabled(facts.computers)
      .and(facts.is('haslaps', false))
      .andNot(facts.controllers)
      .andNot(facts.readOnlyControllers())
      // Not every collector marks controllers, and not every file has their primary group.
      .andNot(facts.membersOf(facts.withSuffix(facts.groups, '-516')))
      .filter((node) => facts.text('operatingsystem', node).includes('WINDOWS')),
} as const satisfies ListFindingType;
