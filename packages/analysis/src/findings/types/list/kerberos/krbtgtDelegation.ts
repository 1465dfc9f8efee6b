import { delegation } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { KRBTGT } from './common.ts';

export const krbtgtDelegation = {
  kind: 'list',
  id: 'KrbtgtDelegation',
  title: 'Resource-Based Delegation to krbtgt',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'opening' }),
  effort: 2,
  floor: 'high',
  family: delegation,
  remedy: {
    risk: 'Who controls the named account asks for tickets of anybody to krbtgt, which are good for the whole domain. No product needs such an entry; intruders leave it to come back.',
    fix: 'Clear msDS-AllowedToActOnBehalfOfOtherIdentity on krbtgt, and find out who wrote it.',
    steps: [
      'Read which accounts the attribute names, and who wrote it (event 5136).',
      'Treat the named accounts as taken over.',
      'Clear the attribute.',
      'Reset the password of krbtgt twice, with at least the lifetime of a ticket (ten hours by default) in between.',
    ],
    verify: ['The attribute of krbtgt is empty.'],
    care: 'No service is known that needs it.',
  },
  what: 'The krbtgt account, which signs every ticket of the domain, lets another account act for users toward it.',
  needs: [],
  reads: { edges: ['AllowedToAct'] },
  find: (facts) =>
    facts
      .withSuffix(facts.users, KRBTGT)
      .filter((node) => !facts.edges('AllowedToAct').startsOf(node).isEmpty),
  usedBy: (facts, account) => facts.edges('AllowedToAct').startsOf(account).andNot(facts.tierZero),
} as const satisfies ListFindingType;
