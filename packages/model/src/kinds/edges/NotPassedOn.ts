import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';

export const NotPassedOn = {
  id: 96,
  platform: 'ad',
  origin: 'derived',
  traits: [],
  category: 'structure',
  phrase: 'does not pass its control on to',
  meaning: 'Inheritance is blocked, so control of the source does not give control of the target.',
  removal: 'Nothing to remove: it prevents attack paths.',
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Contains and GPLink stay as collected, and not all of them pass on control. One rule',
    'determines which ones do, for zones, exposure, paths, plans, choke points, lists and the attack-path kinds of',
    'Cypher:',
    '',
    '- Objects inherit control of a container or an organizational unit through inherited access control entries,',
    'so a child with a protected list (`isaclprotected`) never does (a value that was not collected counts',
    'as inheriting), nor does any object below such a child.',
    '- Anyone who controls an organizational unit or a domain can link a policy and enforce it: control of these also',
    'gives control of all accounts below that process policies, protected or not. A policy cannot be linked to a',
    'container.',
    '- Policies apply only to users and computers, never to groups or organizational units, and not to disabled accounts',
    '(`enabled` false), because no one signs in with them.',
    '- A policy linked above an organizational unit that blocks inheritance reaches nothing in or below it,',
    'unless the link is enforced. A policy linked to the domain does reach the contents of its containers,',
    'and if it reaches a domain controller, it gives control of the domain.',
    '- Control of a domain gives control of everything in it.',
    '',
    'NotPassedOn is derived next to each edge that passes on no control: Container or OU → child, and GPO →',
    'Domain or OU. Searches along attack paths do not follow an edge with a NotPassedOn edge next to it',
    "(`analysis/src/attackGraph.ts`); numbers of edges, lists of members and Cypher's `Contains` and",
    '`GPLink` do not change. Control that is passed on has its own edges: ContainsIdentity from organizational units and domains to',
    'the protected child, or to the accounts below it; GPOAppliesTo from the policy to the accounts that it',
    'reaches, and to organizational units below that contain only such accounts. A link represents control of its container if',
    'both have the same effect, or if more than 100 accounts would be listed: they are in nearly every group of the',
    'container, so the overestimate is small. The same applies to a protected organizational unit with more accounts below the one above',
    'it. All rights on an organizational unit that lead further count as control of it, including rights that only allow linking policies.',
    'Not traversable.',
  ],
  source: [
    'documentation of Windows (inheritance of access control lists, precedence of policies); ours: the public',
    'product follows every edge. `CLEW_RULES=parity` derives none of it, and `/gpos/{id}/users`,',
    '`/computers/{id}/gpos` and the related lists keep the answers of the public product there,',
    'which shields only units nested below the blocking one.',
  ],
  removedBy: [
    'nothing; this edge protects. It disappears when the child inherits again, or the container contains nothing',
    'except objects that its policies reach.',
  ],
};
