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
    'Contains and GPLink stand as they were collected, and not all of them pass control on. One rule',
    'says which do, for zones, exposure, paths, plans, choke points, lists and the attack-path kinds of',
    'Cypher:',
    '',
    '- Control of a container or a unit reaches what it contains by inherited entries of access lists,',
    'so never a child whose list is protected (`isaclprotected`; a value that was not collected counts',
    'as inheriting), nor anything below such a child.',
    '- Anyone who controls a unit or a domain can link a policy and enforce it: control of these also',
    'reaches all accounts below that process policies, protected or not. A policy cannot be linked to a',
    'container.',
    '- Policies reach users and computers alone, never groups or units, and no account that is disabled',
    '(`enabled` false), since nothing signs in as it.',
    '- A policy linked above a unit that blocks inheritance reaches nothing in or below that unit,',
    'unless the link is enforced. A policy linked to the domain does reach the contents of its containers,',
    'and where it reaches a controller, it is control of the domain.',
    '- Control of a domain reaches everything in it.',
    '',
    'NotPassedOn is derived next to each edge that passes nothing on: Container or OU → child, and GPO →',
    'Domain or OU. Walks along attack paths do not follow an edge with it next to it',
    "(`analysis/src/attackGraph.ts`); numbers of edges, lists of members and Cypher's `Contains` and",
    '`GPLink` stay. Control that does pass has edges of its own: ContainsIdentity from units and domains to',
    'the protected child, or to the accounts below it; GPOAppliesTo from the policy to the accounts that it',
    'reaches, and to units below that hold such accounts alone. A link stands for control of its place where',
    'that is the same, and where more than 100 accounts would be listed: they are in nearly every group of the',
    'place, so that the overestimate is small. So does a protected unit with more accounts below the unit above',
    'it. All rights on a unit that lead on count as control of it, also those that only allow to link policies.',
    'Not traversable.',
  ],
  source: [
    'documentation of Windows (inheritance of access lists, precedence of policies); ours: the public',
    'product follows every edge. `CLEW_RULES=parity` derives none of it, and `/gpos/{id}/users`,',
    '`/computers/{id}/gpos` and the related lists keep the answers of the public product there,',
    'which shields only units nested below the blocking one.',
  ],
  removedBy: [
    'nothing; it is good news. It goes when the child inherits again, or the place holds nothing',
    'but what its policies reach.',
  ],
};
