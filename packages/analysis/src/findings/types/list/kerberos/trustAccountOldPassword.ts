import { NodeSet } from '@clew/graph';
import { trusts } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** Controllers change it every 30 days; one change may fail. */
const DAYS = 60;

export const trustAccountOldPassword = {
  kind: 'list',
  id: 'TrustAccountOldPassword',
  title: 'Trust Key Not Renewed',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: trusts,
  remedy: {
    risk: 'Who learned the key of the trust once, from a backup of the other domain for example, can still make tickets for it.',
    fix: 'Remove the trust if it is not used; else reset its password on both sides.',
    steps: [
      'Find out whether the trust still works and who uses it.',
      'Remove it if no one does.',
      'Else reset its password (netdom trust /resetOneSide) on both sides.',
    ],
    verify: ['The date of the last password change of the trust account is recent.'],
    care: 'Reset both sides with the same password, or logons over the trust fail.',
  },
  what: 'The password of a trust account, which controllers change every 30 days by themselves, is older than 60 days.',
  needs: ['pwdlastset'],
  reads: { edges: ['HasTrustKeys'] },
  find: (facts) => {
    const accounts: number[] = [];
    const keys = facts.edges('HasTrustKeys');
    facts.of('Domain').forEach((domain) => {
      keys.outOf(domain, (account) => accounts.push(account));
    });
    return NodeSet.of(facts.context.graph.nodeCount, accounts).filter((node) =>
      facts.olderThan('pwdlastset', node, DAYS),
    );
  },
} as const satisfies ListFindingType;
