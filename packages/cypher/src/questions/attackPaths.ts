import type { QuestionOfCategory } from './question.ts';

export const ATTACK_PATH_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'paths-to-tier-zero',
    question: 'Who can reach Tier Zero, and how?',
    description: 'One shortest attack path from each object outside of Tier Zero that has one.',
    advice: 'The plan says which few changes cut most of them.',
    query:
      'MATCH p = shortestPath((s)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'paths-from-domain-users',
    question: 'Which members of Tier Zero can every user of a domain reach?',
    description: 'Attack paths that begin at Domain Users: anyone with an account has them.',
    advice: 'Cut these first: remove the right that the first step names.',
    query:
      "MATCH p = shortestPath((s:Group)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE s.objectid ENDS WITH '-513' RETURN p LIMIT 1000",
  },
  {
    key: 'paths-from-owned',
    question: 'Which members of Tier Zero can be reached from owned objects?',
    description: 'Attack paths from objects that are known, or taken, to be in the hands of an attacker.',
    advice:
      'During an incident, contain the first step of each; else mark the objects that a test has taken over as owned.',
    query:
      'MATCH p = shortestPath((s:Tag_Owned)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE s <> t RETURN p LIMIT 1000',
  },
  {
    key: 'reach-of-owned',
    question: 'Which objects are one step away from owned ones?',
    description: 'An attacker takes these over next, directly or through groups.',
    advice: 'Watch these objects, and change their secrets.',
    query:
      'MATCH p = (s:Tag_Owned)-[:MemberOf*0..3]->()-[r]->(t) WHERE r.traversable = true AND s <> t RETURN p LIMIT 1000',
  },
  {
    key: 'paths-from-roastable',
    question: 'Which accounts with a crackable ticket lead to Tier Zero?',
    description:
      'Accounts with a service principal name, whose password can be guessed offline, with a path from there.',
    advice: 'Give them long random passwords, or make them group managed; then cut the paths.',
    query:
      'MATCH (u:User) WHERE u.hasspn = true AND u.enabled = true AND NOT u:Tag_Tier_Zero MATCH p = shortestPath((u)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) RETURN p LIMIT 1000',
  },
  {
    key: 'paths-from-no-preauthentication',
    question: 'Which accounts without pre-authentication lead to Tier Zero?',
    description: 'No password is needed to get something that the password can be guessed from.',
    advice: 'Require pre-authentication for them, and change their passwords.',
    query:
      'MATCH (u:User) WHERE u.dontreqpreauth = true AND u.enabled = true AND NOT u:Tag_Tier_Zero MATCH p = shortestPath((u)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) RETURN p LIMIT 1000',
  },
  {
    key: 'direct-control-of-tier-zero',
    question: 'Who outside of Tier Zero holds a right over something in it?',
    description: 'The last step of every attack path. There are often few, though the paths are many.',
    advice: 'Remove the right; or add the objects that need it to Tier Zero.',
    query:
      'MATCH p = (s)-[r]->(t:Tag_Tier_Zero) WHERE NOT s:Tag_Tier_Zero AND r.traversable = true RETURN p LIMIT 1000',
  },
  {
    key: 'paths-between-domains',
    question: 'Which attack paths of one step lead from one domain into another?',
    description: 'Control that crosses a border which is taken to separate.',
    advice: 'Remove the right, or treat both domains as one.',
    query:
      'MATCH p = (s:Base)-[r]->(t:Base) WHERE r.traversable = true AND s.domainsid <> t.domainsid RETURN p LIMIT 1000',
  },
];
