import { serviceTickets } from '../../families/accounts.ts';
import type { ListFindingType } from '../../findingType.ts';
import { kerberoastable } from './common.ts';

/** Bits of msDS-SupportedEncryptionTypes: AES128 and AES256. Source: [MS-KILE] 2.2.7. */
const AES_BITS = 0x18;

export const kerberoastingWeakEncryption = {
  kind: 'list',
  id: 'KerberoastingWeakEncryption',
  title: 'Service Account Limited to RC4 or DES',
  platform: 'ad',
  category: 'KR',
  scope: 'hygiene',
  nature: 'opening',
  effort: 8,
  floor: 'moderate',
  family: serviceTickets,
  remedy: {
    fix: 'Allow AES for the account, and change its password so that AES keys exist.',
  },
  what: 'A user with a service principal name supports no AES encryption, so its tickets are quick to guess.',
  needs: ['supportedencryptiontypes', 'hasspn'],
  find: (facts) =>
    kerberoastable(facts).filter((node) => {
      const bits = facts.number('supportedencryptiontypes', node);
      return bits === undefined
        ? lacksAes(facts.texts('supportedencryptiontypes', node))
        : bits !== 0 && (bits & AES_BITS) === 0;
    }),
  seenBy: 'hasspn',
} as const satisfies ListFindingType;

/** Collectors name the types, or report that the attribute is not set. */
function lacksAes(types: readonly string[]): boolean {
  return types.some((type) => /RC4|DES/i.test(type)) && !types.some((type) => /AES/i.test(type));
}
