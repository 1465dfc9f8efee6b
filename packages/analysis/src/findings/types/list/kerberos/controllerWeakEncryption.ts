import { serviceTickets } from '../../families/accounts.ts';
import { REFERENCE } from '../../family.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { ENCRYPTION_TYPES, encryptionTypesOf } from './encryptionTypes.ts';

export const controllerWeakEncryption = {
  kind: 'list',
  id: 'ControllerWeakEncryption',
  title: 'Domain Controllers That Allow RC4 or DES',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: serviceTickets,
  remedy: {
    risk: 'Passwords can be guessed much faster from tickets that use these ciphers than from AES tickets.',
    fix: 'Find the accounts that still use RC4 or DES, change them to AES, and then allow only AES on the domain controllers.',
    steps: [
      'Check events 4768 and 4769 on all domain controllers for a month: the ticket encryption type 0x17 is RC4, and 0x1 and 0x3 are DES.',
      'For each account in these events, find out whether it has AES keys. If its password was set before the domain reached functional level 2008, it has none until the password changes.',
      'Change those passwords, recreate their keytab files, and renew trusts that support only RC4; update or replace systems that cannot use AES.',
      'Then set "Network security: Configure encryption types allowed for Kerberos" on the domain controllers to the two AES types and future types. Start with one domain controller.',
    ],
    verify: [
      'msDS-SupportedEncryptionTypes of each domain controller is 24 (0x18), or contains only the bits of AES and newer types.',
      'Events 4768 and 4769 show 0x11 or 0x12, and users of each application still log on.',
    ],
    care: 'Accounts without AES keys, old storage systems and printers, Java and UNIX services with RC4 keytabs, and trusts limited to RC4 can no longer get tickets. The default value of a domain controller (28, 0x1C) allows RC4: this is not a misconfiguration, but can be hardened.',
    prevent: 'Create service accounts with AES only, and alert on RC4 tickets.',
    references: [REFERENCE.securingAd],
  },
  what: 'A domain controller supports RC4 or DES encryption.',
  needs: [ENCRYPTION_TYPES],
  find: (facts) =>
    facts.controllers.filter((node) => {
      const types = encryptionTypesOf(facts, node);
      return types !== undefined && (types.hasRc4 || types.hasDes);
    }),
} as const satisfies ListFindingType;
