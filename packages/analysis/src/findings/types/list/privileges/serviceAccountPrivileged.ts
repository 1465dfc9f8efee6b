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
    risk: 'The password of a service lies on each host that runs it, so anyone who administers one of these hosts has what the group has. Without a service principal name the account is in no list of accounts whose tickets can be guessed.',
    fix: 'Find out which rights the service needs, grant only these, and remove the account from the group.',
    steps: [
      'List the hosts on which the account logs on (event 4624 of types 4 and 5), and ask the maker of the software for the rights it needs.',
      'Give the account these rights: of a local group on its hosts, or delegated on a unit.',
      'Take it out of the group on a day on which somebody watches the service, and put it back if the service fails.',
      'Where it has to stay, for a backup of controllers for example, run it only on hosts of Tier Zero, as a group managed service account.',
      'Change the password afterward: it may be known on hosts that no longer matter.',
    ],
    verify: [
      'The account is in no privileged group, at any depth, and the service has run through a whole cycle of its tasks.',
    ],
    care: 'A service that rests on the rights of the group fails at its next start or task, which can be at the end of a month. Backup, monitoring and deployment software are the usual ones.',
    prevent: 'Let no installation ask for Domain Admins, and use group managed service accounts.',
    references: [REFERENCE.managedAccounts, REFERENCE.protectedAccounts],
  },
  what: 'An enabled account that is for a service, by its type, its name or its unit, and has no service principal name, belongs to a privileged group of the domain.',
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
