import { delegation } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const rbcdConfigured = {
  kind: 'list',
  id: 'RBCDConfigured',
  title: 'Computers With Resource-Based Delegation Set',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'opening' }),
  effort: 2,
  floor: 'moderate',
  family: delegation,
  remedy: {
    risk: 'Anyone who controls the other account can act as any unprotected user to the domain controller, which gives control of the domain.',
    fix: 'Clear msDS-AllowedToActOnBehalfOfOtherIdentity on the domain controller.',
    steps: [
      'Check which accounts the attribute names, and who wrote it (event 5136).',
      'If no one can explain the entry, treat the named account as compromised.',
      'Clear the attribute.',
      'Remove the right to write the attribute from all principals outside the zone.',
    ],
    verify: ['The attribute is empty on every domain controller.'],
    care: 'Hardly any service delegates to a domain controller. Ask the owner of the named account anyway.',
  },
  what: 'A domain controller lets another account act on behalf of users to it.',
  needs: [],
  reads: { edges: ['AllowedToAct'] },
  find: (facts) => facts.controllers.filter((node) => !facts.edges('AllowedToAct').startsOf(node).isEmpty),
  usedBy: (facts, controller) => facts.edges('AllowedToAct').startsOf(controller).andNot(facts.tierZero),
} as const satisfies ListFindingType;
