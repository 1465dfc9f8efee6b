import type { QuestionOfCategory } from './question.ts';

export const HYBRID_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'synced-to-cloud',
    question: 'Which accounts of the directory become cloud accounts in Tier Zero?',
    description: 'Control of the account on premises is control of Tier Zero in the cloud.',
    advice: 'Give roles of Tier Zero to accounts of the cloud only.',
    query:
      'MATCH p = (u:User)-[:SyncedToEntraUser]->(a:AZUser)-[:AZMemberOf|AZHasRole*1..3]->(t:Tag_Tier_Zero) RETURN p LIMIT 1000',
  },
  {
    key: 'synced-tier-zero-users',
    question: 'Which users of Tier Zero on premises are synchronized to the cloud?',
    description:
      'Anyone who may reset the password in the cloud has the account on premises, where passwords are written back.',
    advice: 'Leave privileged accounts out of the synchronization.',
    query: 'MATCH p = (u:User:Tag_Tier_Zero)-[:SyncedToEntraUser]->(:AZUser) RETURN p LIMIT 1000',
  },
  {
    key: 'cloud-to-directory',
    question: 'Which cloud accounts lead to Tier Zero on premises?',
    description: 'Attack paths that begin at a cloud account and end in a domain.',
    advice: 'Cut them at the account that joins both.',
    query:
      'MATCH p = shortestPath((a:AZUser)-[:ALL_ATTACK_PATHS*1..]->(t:Base:Tag_Tier_Zero)) RETURN p LIMIT 1000',
  },
  {
    key: 'synchronization-accounts',
    question: 'Which accounts of the directory synchronize it with the cloud?',
    description: 'They may read all secrets of the domain, and the machine they run on is as critical.',
    advice: 'Treat them and their machine as Tier Zero.',
    query:
      "MATCH (u:User) WHERE u.name =~ '^(MSOL|AAD|ADSYNC)_' RETURN u.name, u.enabled, u.pwdlastset ORDER BY u.name LIMIT 1000",
  },
  {
    key: 'disabled-on-one-side',
    question: 'Which accounts are disabled on premises and enabled in the cloud?',
    description: 'People who left, and can still sign in.',
    advice: 'Disable the cloud account; find out why the synchronization did not.',
    query:
      'MATCH (u:User)-[:SyncedToEntraUser]->(a:AZUser) WHERE u.enabled = false AND a.enabled = true RETURN u.name, a.name ORDER BY u.name LIMIT 1000',
  },
];
