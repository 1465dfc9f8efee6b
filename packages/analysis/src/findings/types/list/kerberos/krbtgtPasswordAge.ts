import { keyRotation } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { KRBTGT } from './common.ts';

export const krbtgtPasswordAge = {
  kind: 'list',
  id: 'KrbtgtPasswordAge',
  title: 'Kerberos Signing Key Not Renewed',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: keyRotation,
  remedy: {
    risk: 'Anyone who ever learned the krbtgt key, for example from a backup, can still forge tickets for any user.',
    fix: 'Reset the krbtgt password twice, and wait at least one ticket lifetime (ten hours by default) in between.',
    steps: [
      'Check that replication between all domain controllers is healthy.',
      'Reset the password once; the domain keeps the previous key as the second one.',
      'Wait for replication, and for at least the maximum ticket lifetime.',
      'Reset the password a second time.',
    ],
  },
  what: 'The password of the krbtgt account, which signs every ticket of the domain, is older than 180 days.',
  needs: ['pwdlastset'],
  find: (facts) =>
    facts.withSuffix(facts.users, KRBTGT).filter((node) => facts.olderThan('pwdlastset', node, 180)),
} as const satisfies ListFindingType;
