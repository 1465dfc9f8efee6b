import type { QuestionOfCategory } from './question.ts';

export const HYBRID_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'synced-to-cloud',
    question: 'Which on-premises accounts become Tier Zero cloud accounts?',
    description: 'Control of the on-premises account gives control of Tier Zero in the cloud.',
    advice: 'Assign Tier Zero roles only to cloud-only accounts.',
    query:
      'MATCH p = (u:User)-[:SyncedToEntraUser]->(a:AZUser)-[:AZMemberOf|AZHasRole*1..3]->(t:Tag_Tier_Zero) RETURN p LIMIT 1000',
  },
  {
    key: 'synced-tier-zero-users',
    question: 'Which on-premises Tier Zero users are synchronized to the cloud?',
    description:
      'If password writeback is on, anyone who can reset the password in the cloud controls the on-premises account.',
    advice: 'Exclude privileged accounts from synchronization.',
    query: 'MATCH p = (u:User:Tag_Tier_Zero)-[:SyncedToEntraUser]->(:AZUser) RETURN p LIMIT 1000',
  },
  {
    key: 'cloud-to-directory',
    question: 'Which cloud accounts lead to Tier Zero on premises?',
    description: 'Attack paths that start at a cloud account and end in a domain.',
    advice: 'Cut them at the account that connects both.',
    query:
      'MATCH p = shortestPath((a:AZUser)-[:ALL_ATTACK_PATHS*1..]->(t:Base:Tag_Tier_Zero)) RETURN p LIMIT 1000',
  },
  {
    key: 'synchronization-accounts',
    question: 'Which directory accounts synchronize it with the cloud?',
    description:
      'They can read all secrets of the domain, and the computer on which they run is as critical.',
    advice: 'Treat them and their computer as Tier Zero.',
    query:
      "MATCH (u:User) WHERE u.name =~ '^(MSOL|AAD|ADSYNC)_' RETURN u.name, u.enabled, u.pwdlastset ORDER BY u.name LIMIT 1000",
  },
  {
    key: 'disabled-on-one-side',
    question: 'Which accounts are disabled on premises and enabled in the cloud?',
    description: 'People who have left, but can still sign in.',
    advice: 'Disable the cloud account; find out why synchronization did not.',
    query:
      'MATCH (u:User)-[:SyncedToEntraUser]->(a:AZUser) WHERE u.enabled = false AND a.enabled = true RETURN u.name, a.name ORDER BY u.name LIMIT 1000',
  },
];
