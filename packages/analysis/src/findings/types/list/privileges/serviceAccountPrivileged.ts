import type { FindingFacts } from '../../../findingFacts.ts';
import { OPERATOR_GROUPS } from '../../../leadsTo.ts';
import { zoneMembership } from '../../families/directory.ts';
import { REFERENCE } from '../../family.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** Groups that no service requires. */
export const ADMINISTRATIVE_GROUPS = ['-512', '-518', '-519', '-S-1-5-32-544', ...OPERATOR_GROUPS] as const;

/** Matches SVC_BACKUP, SVC01, BACKUP-SVC, SERVICE.SQL: the part before the domain. */
const NAME = /^(SVC|SERVICE)([-_. \d]|$)|^[^@]*[-_. ](SVC|SERVICE)([-_. \d]|$)/i;
const UNIT = /,OU=[^,]*SERVICE[-_ ]?ACCOUNT/i;

export const serviceAccountPrivileged = {
  kind: 'list',
  id: 'ServiceAccountPrivileged',
  title: 'Service Accounts in Privileged Groups',
  ...classed({ platform: 'ad', category: 'LP', scope: 'tier-zero', nature: 'safeguard', floor: 'low' }),
  family: zoneMembership,
  remedy: {
    risk: 'The password of a service is stored on each host that runs it, so anyone who administers one of these hosts has the rights of the group. Without a service principal name, the account is not in the lists of Kerberoastable accounts.',
    fix: 'Find out which rights the service needs, grant only these rights, and remove the account from the group.',
    steps: [
      'List the hosts where the account logs on (event 4624 of types 4 and 5), and ask the vendor of the software which rights it needs.',
      'Grant these rights to the account through a local group on its hosts, or through delegation on an organizational unit.',
      'Remove the account from the group when someone can monitor the service, and add it again if the service fails.',
      'If it has to stay, for example to back up domain controllers, run it only on Tier Zero hosts, as a group managed service account.',
      'Change the password afterward: hosts that are no longer in use may still store it.',
    ],
    verify: [
      'The account belongs to no privileged group, directly or through nested groups, and the service has completed a full cycle of its tasks.',
    ],
    care: 'A service that depends on the rights of the group fails at its next start or task, which can be at the end of a month. Typical examples are backup, monitoring and deployment software.',
    prevent: 'Do not accept software that requires Domain Admins, and use group managed service accounts.',
    references: [REFERENCE.managedAccounts, REFERENCE.protectedAccounts],
  },
  what: 'An enabled service account (by its type, its name or its organizational unit) without a service principal name belongs to a privileged group of the domain.',
  needs: ['hasspn'],
  reads: { nodeProperties: ['distinguishedname'] },
  find: (facts) => {
    const managed = facts.managed();
    return (
      facts
        .enabled(facts.membersOf(facts.withSuffix(facts.groups, ...ADMINISTRATIVE_GROUPS)).and(facts.users))
        .and(facts.tierZero)
        .andNot(facts.is('hasspn', true))
        // Its membership in these groups has its own finding.
        .andNot(facts.connectorAccounts())
        .filter((node) => managed.has(node) || isNamedAsService(facts, node))
    );
  },
} as const satisfies ListFindingType;

function isNamedAsService(facts: FindingFacts, node: number): boolean {
  return NAME.test(facts.name(node).split('@')[0]) || UNIT.test(facts.text('distinguishedname', node));
}
