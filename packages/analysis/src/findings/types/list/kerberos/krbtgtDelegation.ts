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
    risk: 'Anyone who controls the named account can request tickets to krbtgt as any user, and these tickets give control of the whole domain. No product needs such an entry; attackers create it as a backdoor.',
    fix: 'Clear msDS-AllowedToActOnBehalfOfOtherIdentity on krbtgt, and find out who wrote it.',
    steps: [
      'Check which accounts the attribute names, and who wrote it (event 5136).',
      'Treat the named accounts as compromised.',
      'Clear the attribute.',
      'Reset the krbtgt password twice, and wait at least one ticket lifetime (ten hours by default) in between.',
    ],
    verify: ['The attribute of krbtgt is empty.'],
    care: 'No known service needs the entry.',
  },
  what: 'The krbtgt account, which signs every ticket of the domain, lets another account act on behalf of users to it.',
  needs: [],
  reads: { edges: ['AllowedToAct'] },
  find: (facts) =>
    facts
      .withSuffix(facts.users, KRBTGT)
      .filter((node) => !facts.edges('AllowedToAct').startsOf(node).isEmpty),
  usedBy: (facts, account) => facts.edges('AllowedToAct').startsOf(account).andNot(facts.tierZero),
} as const satisfies ListFindingType;
