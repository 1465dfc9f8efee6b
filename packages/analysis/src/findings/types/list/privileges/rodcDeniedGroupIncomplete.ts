import { NodeSet, objectIdOf } from '@clew/graph';
import { domains } from '../../../../directory/domains.ts';
import type { FindingFacts } from '../../../findingFacts.ts';
import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { domainSid } from './common.ts';

/** Default members of the group: from the domain itself, and from the root domain of its forest. Source: Microsoft, default groups. */
const OF_DOMAIN = ['-512', '-516', '-517', '-520', '-521'] as const;
const OF_ROOT = ['-518', '-519'] as const;
const KRBTGT = '-502';

export const rodcDeniedGroupIncomplete = {
  kind: 'list',
  id: 'RodcDeniedGroupIncomplete',
  title: 'Denied RODC Password Replication Group Lacks Privileged Members',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: zoneMembership,
  remedy: {
    risk: 'If a privileged account is allowed by mistake, only this group prevents read-only domain controllers from storing its password.',
    fix: 'Add the missing privileged groups to the Denied RODC Password Replication Group again.',
    steps: [
      'Compare the members with the Windows defaults: Domain Admins, Enterprise Admins, Schema Admins, Domain Controllers, Read-only Domain Controllers, Cert Publishers, Group Policy Creator Owners and krbtgt.',
      'Find out who removed the missing members, and add them again.',
      'Reset the passwords of privileged accounts that a read-only domain controller has stored in the meantime.',
    ],
    verify: ['On each read-only domain controller, the resultant policy denies a member of Domain Admins.'],
    care: 'Denied accounts cannot log on at a site without a connection to a writable domain controller: keep another emergency account there.',
    prevent: 'Alert when members are removed from the group (event 4733).',
  },
  what: 'A privileged group, or krbtgt, is missing from the group whose passwords read-only domain controllers never store.',
  needs: [],
  reads: { shared: [domains] },
  find: (facts) =>
    facts
      .withSuffix(facts.groups, '-572')
      .filter((group) => wereMembersRead(facts, group) && missingMembers(facts, group).length > 0),
} as const satisfies ListFindingType;

/** A collector that reads group members always finds some in Administrators. */
function wereMembersRead(facts: FindingFacts, group: number): boolean {
  const domain = facts.domainOf(group);
  const administrators = facts
    .withSuffix(facts.groups, 'S-1-5-32-544')
    .filter((node) => facts.domainOf(node) === domain);
  return !facts.directMembersOf(administrators).isEmpty;
}

/** @returns existing groups, and krbtgt, that are neither direct nor indirect members */
export function missingMembers(facts: FindingFacts, group: number): number[] {
  const { graph } = facts.context;
  const own = domainSid(facts, group);
  const forest = facts.context.use(domains).forestOf(facts.domainOf(group));
  const members = facts.membersOf(NodeSet.of(graph.nodeCount, [group]));
  const expected = facts
    .withSuffix(facts.groups, ...OF_DOMAIN)
    .or(facts.withSuffix(facts.users, KRBTGT))
    .filter((node) => objectIdOf(graph, node).startsWith(`${own}-`))
    .or(facts.withSuffix(facts.groups, ...OF_ROOT).filter((node) => forest.has(facts.domainOf(node))));
  return [...expected.andNot(members)];
}
