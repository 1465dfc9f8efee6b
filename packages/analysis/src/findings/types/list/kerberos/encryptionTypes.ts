/**
 * The encryption types that an account supports. Collectors report msDS-SupportedEncryptionTypes as names or as a number; if the attribute
 * is not set they report "Not defined", and the types are unknown, because the account uses the default of its domain.
 *
 * Source of the bits: [MS-KILE] 2.2.7.
 */
import type { FindingFacts } from '../../../findingFacts.ts';

export const ENCRYPTION_TYPES = 'supportedencryptiontypes';

const BITS = { DES: 0x3, RC4: 0x4, AES: 0x18 } as const;
const NAMES = { DES: /DES/i, RC4: /RC4/i, AES: /AES/i } as const;

export interface EncryptionTypes {
  readonly hasDes: boolean;
  readonly hasRc4: boolean;
  readonly hasAes: boolean;
}

/** @returns undefined if the attribute was not collected or is not set */
export function encryptionTypesOf(facts: FindingFacts, node: number): EncryptionTypes | undefined {
  const bits = facts.number(ENCRYPTION_TYPES, node);
  const names = bits === undefined ? facts.texts(ENCRYPTION_TYPES, node) : [];
  const has = (type: keyof typeof BITS): boolean =>
    bits === undefined ? names.some((name) => NAMES[type].test(name)) : (bits & BITS[type]) !== 0;
  const found = { hasDes: has('DES'), hasRc4: has('RC4'), hasAes: has('AES') };
  return found.hasDes || found.hasRc4 || found.hasAes ? found : undefined;
}
