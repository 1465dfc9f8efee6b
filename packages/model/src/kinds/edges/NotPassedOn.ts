import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';

export const NotPassedOn = {
  id: 96,
  platform: 'ad',
  origin: 'derived',
  traits: [],
  category: 'structure',
  phrase: 'passes no control on to',
  meaning: 'Inheritance is blocked, so control of the one is not control of the other.',
  removal: 'Nothing to remove: it keeps attack paths out.',
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Contains and GPLink stand as they were collected, and not all of them pass control on. One rule',
    'says which do, for zones, exposure, paths, plans, choke points, lists and the attack-path kinds of',
    'Cypher:',
    '',
    '- Control of a container reaches its children by inherited entries of access lists only, so never',
    'a child whose list is protected (`isaclprotected`; a value that was not collected counts as',
    'inheriting). A policy cannot be linked to a container.',
    '- Control of a unit or a domain reaches everything below, protected or not: anyone who has it',
    'can link and enforce a policy.',
    '- A policy linked above a unit that blocks inheritance reaches nothing in or below that unit,',
    'unless the link is enforced. A policy linked to the domain does reach the contents of its containers.',
    '',
    'NotPassedOn is derived next to each edge that passes nothing on: Container → protected child, and',
    'GPO → Domain or OU with a blocking unit somewhere below, if the link is not enforced. Walks along',
    'attack paths do not follow an edge with it next to it (`analysis/src/attackGraph.ts`); numbers',
    "of edges, lists of members and Cypher's `Contains` and `GPLink` stay. Control that does pass has",
    'edges of its own: ContainsIdentity from the nearest units and domains to the protected child,',
    'GPOAppliesTo from the policy to the uppermost objects that it reaches. Not traversable.',
  ],
  source: [
    'documentation of Windows (inheritance of access lists, precedence of policies); ours: the public',
    'product follows every edge. `CLEW_RULES=parity` derives none of it, and `/gpos/{id}/users`,',
    '`/computers/{id}/gpos` and the related lists keep the answers of the public product there,',
    'which shields only units nested below the blocking one.',
  ],
  removedBy: [
    'nothing; it is good news. It goes when the child inherits again, or no unit below blocks',
    'inheritance.',
  ],
};
