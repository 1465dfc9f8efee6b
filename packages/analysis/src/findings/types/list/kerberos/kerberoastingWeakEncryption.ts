import { serviceTickets } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { kerberoastable } from './common.ts';
import { encryptionTypesOf } from './encryptionTypes.ts';

export const kerberoastingWeakEncryption = {
  kind: 'list',
  id: 'KerberoastingWeakEncryption',
  title: 'Service Account Limited to RC4 or DES',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'opening' }),
  effort: 8,
  floor: 'moderate',
  family: serviceTickets,
  remedy: {
    fix: 'Allow AES for the account, and change its password so that AES keys exist.',
  },
  what: 'A user with a service principal name does not support AES encryption, so its tickets allow fast password guessing.',
  needs: ['supportedencryptiontypes', 'hasspn'],
  find: (facts) => kerberoastable(facts).filter((node) => encryptionTypesOf(facts, node)?.hasAes === false),
} as const satisfies ListFindingType;
