import { accountSettings } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const reversibleEncryption = {
  kind: 'list',
  id: 'ReversibleEncryption',
  title: 'Passwords Stored With Reversible Encryption',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: accountSettings,
  remedy: {
    risk: 'Anyone who can read the database of a domain controller or its backup can see the password itself, not a hash.',
    care: 'Logons with CHAP (for example through RADIUS) and with Digest authentication need the readable password, and fail without it: move these clients to another method first. Services that store the password need the new one.',
    fix: 'Turn off reversible encryption for the account, then change its password: the readable copy remains until the password changes.',
  },
  what: 'The password of an enabled account is stored with reversible encryption.',
  needs: ['encryptedtextpwdallowed'],
  find: (facts) =>
    facts.enabled(facts.users.or(facts.computers)).and(facts.is('encryptedtextpwdallowed', true)),
} as const satisfies ListFindingType;
