import { findNode, NO_NODE, NodeSet } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const rodcRevealsPrivileged = {
  kind: 'list',
  id: 'RodcRevealsPrivileged',
  title: 'Read-Only DC May Cache Privileged Passwords',
  ...classed({ platform: 'ad', category: 'TZ', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: zoneMembership,
  remedy: {
    risk: 'Read-only domain controllers are often in places with a risk of theft, and a thief gets their stored passwords.',
    fix: 'Deny the privileged accounts on the read-only domain controller: add them to the Denied RODC Password Replication Group.',
    steps: [
      'List the accounts whose passwords the domain controller has already stored, and reset the passwords of privileged accounts.',
      'Add Tier Zero users and groups to the Denied RODC Password Replication Group.',
      'Limit the allowed accounts to accounts of the site.',
    ],
    verify: ['The resultant policy of the read-only domain controller denies a Tier Zero user.'],
    care: 'Denied users cannot log on at the site while the connection to a writable domain controller is down.',
    prevent: 'Keep all Tier Zero groups in the denied group.',
  },
  what: 'A read-only domain controller can store the password of a Tier Zero user.',
  needs: ['msds-revealondemandgroup'],
  reads: { nodeProperties: ['distinguishedname', 'msds-neverrevealgroup'] },
  find: revealingControllers,
} as const satisfies ListFindingType;

/** Lists of a read-only controller contain users and groups by distinguished name or SID. */
function revealingControllers(facts: FindingFacts): NodeSet {
  return facts.readOnlyControllers().filter((controller) => {
    const allowed = named(facts, facts.texts('msds-revealondemandgroup', controller));
    if (allowed.isEmpty) return false;
    const denied = named(facts, facts.texts('msds-neverrevealgroup', controller));
    return facts
      .membersOf(allowed)
      .andNot(facts.membersOf(denied))
      .and(facts.users)
      .intersects(facts.tierZero);
  });
}

function named(facts: FindingFacts, names: readonly string[]): NodeSet {
  const { graph, properties } = facts.context;
  const sets = names.map((text) => {
    const name = text.toUpperCase();
    const node = findNode(graph, name);
    return node === NO_NODE
      ? properties.nodesWhere('distinguishedname', name)
      : NodeSet.of(graph.nodeCount, [node]);
  });
  return NodeSet.union(graph.nodeCount, sets);
}
