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
    risk: 'If computers share a local administrator password, anyone who learns it on one computer is an administrator of all of them.',
    fix: 'Deploy Windows LAPS to the computer.',
    steps: [
      'Extend the schema for Windows LAPS, and let computers write their own password.',
      "Set the LAPS policy for the computer's organizational unit, with encryption for the group that can read passwords.",
      'Remove other local accounts with administrative rights.',
    ],
    verify: [
      'The directory shows a password expiration time for the computer, and the old local password no longer works.',
    ],
    care: 'Scripts and people that use the old local password lose access.',
    prevent: 'Link the policy to every organizational unit with computers.',
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
