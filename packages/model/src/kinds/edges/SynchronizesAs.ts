import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { SPECIAL_TOOL } from '../efforts.ts';

export const SynchronizesAs = {
  id: 182,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'synchronization',
  phrase: 'synchronizes the directory as',
  meaning: 'The server stores the credentials of the connector account.',
  removal: 'None while it synchronizes: allow only Tier Zero administrators to manage the server.',
  effort: SPECIAL_TOOL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Computer → User or AZUser: directory synchronization runs on the computer, which stores the password or',
    'the certificate of this account. The directory does not mark such a server, but the synchronization',
    'writes its name into the description of the account that it creates in a domain ("running on',
    'computer NAME") and into the name of its account in the tenant (`Sync_NAME_0123456789ab`). If several',
    'computers have that name, and none of them is in the domain of the account, there is no edge.',
    '`CLEW_RULES=parity` does not derive it.',
  ],
  source:
    'documentation of Entra Connect (accounts and permissions); ours: the public product has no such edge.',
  removedBy: [
    'nothing while it synchronizes; close the paths to the server, which belongs to Tier Zero. The account',
    'keeps the replication rights that it needs for password hashes.',
  ],
};
