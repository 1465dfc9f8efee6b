import { type AttackGraph, NodeSet, objectIdOf } from '@clew/graph';
import { EDGE_KINDS, type EdgeKindName, NODE_KINDS, type NodeKindName } from '@clew/model';
import { domainSidOf } from '../../../environments.ts';
import type { FindingFacts } from '../../../findingFacts.ts';
import { accessRights } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** Access list entries, ownership, and members of local groups, which remain when an account is deleted. */
export const LEFT_BEHIND: readonly EdgeKindName[] = [
  ...EDGE_KINDS.filter(({ acl, platform, origin }) => acl && platform === 'ad' && origin !== 'derived').map(
    ({ name }) => name as EdgeKindName,
  ),
  ...(['Owns', 'WriteOwner', 'MemberOfLocalGroup'] as const),
];

const DESCRIBED = NODE_KINDS.filter(({ name, platform }) => platform === 'ad' && name !== 'Base').map(
  ({ name }) => name as NodeKindName,
);

/** Lower ids are reserved for Windows: a group of a newer version may have an entry before it exists. */
const FIRST_ID_OF_ACCOUNTS = 1000;

export const deletedAccountRights = {
  kind: 'list',
  id: 'DeletedAccountRights',
  title: 'Rights Left Behind by a Deleted Account',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: accessRights,
  remedy: {
    risk: 'No one can use the entries today. If the account is restored from the recycle bin, it has all of them again. Until then, they make access control lists hard to review.',
    fix: 'Remove the entries of the deleted account.',
    steps: [
      'Make sure that the account is deleted: look for its SID (Get-ADObject -IncludeDeletedObjects -Filter "objectSid -eq \'SID\'"), also in other domains of the forest. An account that the collector cannot read looks the same.',
      'Export the access control lists in the evidence.',
      'Remove the entries of the SID from these lists; remove inherited entries from the container where they are defined.',
      'Remove the SID from the local groups of the computers, or from the policy that sets these groups. If it owns an object, make Domain Admins the owner.',
    ],
    verify: ['The next collection shows no entry of the SID.'],
    care: 'Nothing stops working if the account is really deleted. If it exists but the collector cannot read it, its services lose their rights. Check the SID first.',
    prevent: 'Grant rights only to groups, so that no entries remain when an account is deleted.',
  },
  what: 'A SID of this domain that no longer belongs to an object has entries in access control lists, owns objects or is a member of local groups.',
  needs: [],
  reads: { edges: LEFT_BEHIND, nodeProperties: ['collected'] },
  find: (facts) => {
    const read = readDomains(facts);
    const rights = facts.edges(...LEFT_BEHIND);
    return withoutDescription(facts).filter(
      (node) =>
        isOfAccount(facts.context.graph, node) && read.has(facts.domainOf(node)) && rights.isStart(node),
    );
  },
} as const satisfies ListFindingType;

/** Objects that the collector looked up in the directory without result: it knows neither kind nor name. */
function withoutDescription(facts: FindingFacts): NodeSet {
  const described = NodeSet.union(
    facts.context.graph.nodeCount,
    DESCRIBED.map((kind) => facts.of(kind)),
  );
  return facts.of('Base').andNot(described);
}

/** Whether the id is one that a domain gives to accounts, and not one of Windows. */
export function isOfAccount(graph: AttackGraph, node: number): boolean {
  const id = objectIdOf(graph, node);
  return domainSidOf(id) !== undefined && Number(id.slice(id.lastIndexOf('-') + 1)) >= FIRST_ID_OF_ACCOUNTS;
}

/** Domains whose accounts were read: in other domains an id without an object proves nothing. */
function readDomains(facts: FindingFacts): ReadonlySet<number> {
  const withUsers = facts.environmentsOf(facts.enabled(facts.users));
  const collected = facts.of('Domain').and(facts.is('collected', true));
  return new Set([...collected].filter((domain) => withUsers.has(domain)));
}
