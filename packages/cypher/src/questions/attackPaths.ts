import type { QuestionOfCategory } from './question.ts';

export const ATTACK_PATH_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'paths-to-tier-zero',
    question: 'Who can reach Tier Zero, and how?',
    description: 'One shortest attack path from each object outside Tier Zero that has a path.',
    advice: 'The plan shows the few changes that cut most of these paths.',
    query:
      'MATCH p = shortestPath((s)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'paths-from-domain-users',
    question: 'Which members of Tier Zero can every user of a domain reach?',
    description: 'Attack paths that start at Domain Users: anyone with an account can use them.',
    advice: 'Cut these first: remove the right in the first step.',
    query:
      "MATCH p = shortestPath((s:Group)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE s.objectid ENDS WITH '-513' RETURN p LIMIT 1000",
  },
  {
    key: 'paths-from-owned',
    question: 'Which members of Tier Zero can be reached from owned objects?',
    description: 'Attack paths from objects that an attacker is known or assumed to control.',
    advice:
      'During an incident, contain the first step of each path. Otherwise, mark the objects that a test compromised as owned.',
    query:
      'MATCH p = shortestPath((s:Tag_Owned)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE s <> t RETURN p LIMIT 1000',
  },
  {
    key: 'reach-of-owned',
    question: 'Which objects are one step away from owned ones?',
    description: 'An attacker can take over these objects next, directly or through groups.',
    advice: 'Monitor these objects, and change their secrets.',
    query:
      'MATCH p = (s:Tag_Owned)-[:MemberOf*0..3]->()-[r]->(t) WHERE r.traversable = true AND s <> t RETURN p LIMIT 1000',
  },
  {
    key: 'paths-from-roastable',
    question: 'Which accounts with a crackable ticket lead to Tier Zero?',
    description:
      'Accounts with a service principal name, whose passwords can be guessed offline, and their paths.',
    advice: 'Set long, random passwords, or use group managed service accounts; then cut the paths.',
    query:
      'MATCH (u:User) WHERE u.hasspn = true AND u.enabled = true AND NOT u:Tag_Tier_Zero MATCH p = shortestPath((u)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) RETURN p LIMIT 1000',
  },
  {
    key: 'paths-from-no-preauthentication',
    question: 'Which accounts without pre-authentication lead to Tier Zero?',
    description:
      'Without knowing a password, anyone can request data that allows offline guessing of the password.',
    advice: 'Require pre-authentication for these accounts, and change their passwords.',
    query:
      'MATCH (u:User) WHERE u.dontreqpreauth = true AND u.enabled = true AND NOT u:Tag_Tier_Zero MATCH p = shortestPath((u)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) RETURN p LIMIT 1000',
  },
  {
    key: 'direct-control-of-tier-zero',
    question: 'Who outside of Tier Zero holds a right over something in it?',
    description:
      'The last step of every attack path. These steps are often few, even if there are many paths.',
    advice: 'Remove the right, or add the objects that need it to Tier Zero.',
    query:
      'MATCH p = (s)-[r]->(t:Tag_Tier_Zero) WHERE NOT s:Tag_Tier_Zero AND r.traversable = true RETURN p LIMIT 1000',
  },
  {
    key: 'paths-between-domains',
    question: 'Which attack paths of one step lead from one domain into another?',
    description: 'Control that crosses a boundary which is meant to separate domains.',
    advice: 'Remove the right, or treat both domains as one.',
    query:
      'MATCH p = (s:Base)-[r]->(t:Base) WHERE r.traversable = true AND s.domainsid <> t.domainsid RETURN p LIMIT 1000',
  },
];
