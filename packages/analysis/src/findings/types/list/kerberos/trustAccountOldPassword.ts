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
    risk: 'Anyone who learned the trust key once, for example from a backup of the other domain, can still forge tickets for the trust.',
    fix: 'Remove the trust if no one uses it. Otherwise reset its password on both sides.',
    steps: [
      'Find out whether the trust still works and who uses it.',
      'Remove it if no one uses it.',
      'Otherwise reset its password (netdom trust /resetOneSide) on both sides.',
    ],
    verify: ['The date of the last password change of the trust account is recent.'],
    care: 'Use the same password on both sides, or logons over the trust fail.',
  },
  what: 'The password of a trust account is older than 60 days, although domain controllers change it automatically every 30 days.',
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
