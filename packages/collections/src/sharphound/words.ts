/**
 * Values of enumerations. .NET collectors write their names, public Python collectors their numbers; both mean the same. Rule:
 * `docs/reference/collections.md#text-and-values`.
 */

/** Keyed by number. Names match case-insensitively. */
export type Words<Word extends string = string> = Readonly<Record<number, Word>>;

export const TRUST_DIRECTION = { 0: 'Disabled', 1: 'Inbound', 2: 'Outbound', 3: 'Bidirectional' } as const;

export const TRUST_TYPE = {
  0: 'ParentChild',
  1: 'CrossLink',
  2: 'Forest',
  3: 'External',
  4: 'Unknown',
} as const;

/** Names without a number. */
export const FURTHER_TRUST_TYPES = ['TreeRoot', 'Kerberos'] as const;

/** Access entry types (MS-DTYP 2.4.4.1) in enrollment agent restrictions. */
export const ACCESS_TYPE = { 9: 'AccessAllowedCallback', 10: 'AccessDeniedCallback' } as const;

/** Bits of trust attributes (MS-ADTS 6.1.6.7.9), by their names in collectors. */
const TRUST_ATTRIBUTES: Readonly<Record<string, number>> = {
  nontransitive: 0x1,
  uplevelonly: 0x2,
  filtersids: 0x4,
  quarantineddomain: 0x4,
  foresttransitive: 0x8,
  crossorganization: 0x10,
  withinforest: 0x20,
  treatasexternal: 0x40,
  trustusesrc4: 0x80,
  usesrc4encryption: 0x80,
  trustusesaes: 0x100,
  crossorganizationnotgtdelegation: 0x200,
  pimtrust: 0x400,
  crossorganizationenabletgtdelegation: 0x800,
};

/** @returns the number for the names of bits; undefined if one is unknown */
export function trustAttributeBits(text: string): number | undefined {
  let bits = 0;
  for (const name of text.split(',')) {
    const bit = TRUST_ATTRIBUTES[name.trim().toLowerCase()];
    if (bit === undefined) return undefined;
    bits |= bit;
  }
  return bits;
}

/** @returns the word for a name or a number; undefined for any other value */
export function wordOf<Word extends string>(
  value: unknown,
  words: Words<Word>,
  further: readonly Word[] = [],
): Word | undefined {
  const text = typeof value === 'string' ? value.trim() : value;
  const number = typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : text;
  if (typeof number === 'number') return Object.hasOwn(words, number) ? words[number] : undefined;
  if (typeof text !== 'string') return undefined;
  return [...Object.values(words), ...further].find((word) => word.toLowerCase() === text.toLowerCase());
}
