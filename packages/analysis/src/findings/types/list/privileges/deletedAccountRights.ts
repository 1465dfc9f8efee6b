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
    risk: 'No one can use the entries today. If the account is restored from the recycle bin it has all of them again, and lists full of such ids hide the entries that count.',
    fix: 'Remove the entries of the deleted account.',
    steps: [
      'Make sure that the account is deleted: look for its SID (Get-ADObject -IncludeDeletedObjects -Filter "objectSid -eq \'SID\'"), also in other domains of the forest. A collector that may not read an account shows it in the same way.',
      'Export the access lists that the evidence names.',
      'Remove the entries of the SID there; where one is inherited, on the container that it comes from.',
      'Remove the SID from the local groups of the computers, in the policy that fills them where there is one. Where it owns an object, make Domain Admins the owner.',
    ],
    verify: ['The next collection shows no entry of the SID.'],
    care: 'Nothing stops working, unless the account is not deleted but hidden from the collector: then its services lose their rights. Check the SID first.',
    prevent: 'Grant rights to groups only, so that nothing is left behind when an account is deleted.',
  },
  what: 'A SID of this domain that belongs to no object any more has entries in access lists, owns objects or is a member of local groups.',
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

function isOfAccount(graph: AttackGraph, node: number): boolean {
  const id = objectIdOf(graph, node);
  return domainSidOf(id) !== undefined && Number(id.slice(id.lastIndexOf('-') + 1)) >= FIRST_ID_OF_ACCOUNTS;
}

/** Domains whose accounts were read: in other domains an id without an object proves nothing. */
function readDomains(facts: FindingFacts): ReadonlySet<number> {
  const withUsers = facts.environmentsOf(facts.enabled(facts.users));
  const collected = facts.of('Domain').and(facts.is('collected', true));
  return new Set([...collected].filter((domain) => withUsers.has(domain)));
}
