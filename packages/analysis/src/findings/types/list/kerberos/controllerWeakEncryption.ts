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
    risk: 'Passwords behind tickets of these ciphers are guessed much faster than behind those of AES.',
    fix: 'Find out who still uses RC4 or DES, move these accounts to AES, and then allow AES only on the controllers.',
    steps: [
      'Read events 4768 and 4769 of all controllers for a month: a ticket encryption type of 0x17 is RC4, 0x1 and 0x3 are DES.',
      'For each account that they name, find out whether it has AES keys: one whose password is older than the domain level of 2008 has none until its password changes.',
      'Renew those passwords, the keytab files made of them, and trusts that know RC4 only; update or replace systems that cannot use AES.',
      'Then set "Network security: Configure encryption types allowed for Kerberos" of the domain controllers to the two AES types and future types, on one controller first.',
    ],
    verify: [
      'msDS-SupportedEncryptionTypes of each controller is 24 (0x18), or has only the bits of AES and of newer types.',
      'Events 4768 and 4769 show 0x11 or 0x12, and users of each application still log on.',
    ],
    care: 'Accounts without AES keys, old storage, printers, Java and UNIX services with RC4 keytabs, and trusts limited to RC4 can no longer get tickets. The default value of a controller (28, 0x1C) allows RC4: nothing is broken, only not yet tightened.',
    prevent: 'Create service accounts with AES only, and alert on tickets with RC4.',
    references: [REFERENCE.securingAd],
  },
  what: 'The encryption types that a domain controller supports include RC4 or DES.',
  needs: [ENCRYPTION_TYPES],
  find: (facts) =>
    facts.controllers.filter((node) => {
      const types = encryptionTypesOf(facts, node);
      return types !== undefined && (types.hasRc4 || types.hasDes);
    }),
} as const satisfies ListFindingType;
