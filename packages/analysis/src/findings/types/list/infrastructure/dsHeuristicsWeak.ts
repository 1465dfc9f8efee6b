import { domainDefaults } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/**
 * Characters of dSHeuristics, counted from 1, with the values that weaken the forest. Source: [MS-ADTS] 6.1.1.2.4.1.2. Character 7: 2
 * allows anonymous clients. 16: groups excluded by AdminSDHolder, in hexadecimal. 21: disabled uniqueness checks. 29: 2 lets owners keep
 * the rights that the update of 2021 removes.
 */
const WEAK: readonly (readonly [character: number, values: RegExp])[] = [
  [7, /2/],
  [16, /[1-9a-f]/i],
  [21, /[1-3]/],
  [29, /2/],
];

function isWeak(heuristics: string): boolean {
  return WEAK.some(([character, values]) => values.test(heuristics.charAt(character - 1)));
}

export const dsHeuristicsWeak = {
  kind: 'list',
  id: 'DSHeuristicsWeak',
  title: 'Directory-Wide Settings That Weaken the Forest',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: domainDefaults,
  remedy: {
    risk: 'One attribute changes how every domain controller in the forest protects accounts. It can allow anonymous reads, exclude groups from the protection of AdminSDHolder, or allow two accounts with the same name.',
    fix: 'Reset the characters of dSHeuristics that no one needs: 7 (anonymous access), 16 (groups that AdminSDHolder excludes), 21 (uniqueness of UPN and SPN), 29 (implicit rights of owners).',
    steps: [
      'Record the current value of dSHeuristics of CN=Directory Service,CN=Windows NT,CN=Services in the configuration partition.',
      'For each of these characters that is not 0, find out who set it, and which application needs it.',
      'Set the characters that no one needs to 0.',
      'Check the applications that you found, and the groups that AdminSDHolder now protects again.',
    ],
    verify: ['Each domain controller of the forest has the new value.'],
    prevent: 'Alert on changes of dSHeuristics (event 5136).',
    care: 'Set these characters to 0, and leave all others unchanged. Positions count: if you delete a character, all later characters move. The 10th character must stay 1, and the 20th must stay 2. Applications that read without authentication stop working: look for anonymous binds (event 2889) first.',
  },
  what: 'The attribute dSHeuristics allows anonymous access, turns off the uniqueness of names, restricts AdminSDHolder, or lets owners keep implicit rights.',
  needs: ['dsheuristics'],
  find: (facts) => facts.of('Domain').filter((domain) => isWeak(facts.text('dsheuristics', domain))),
} as const satisfies ListFindingType;
