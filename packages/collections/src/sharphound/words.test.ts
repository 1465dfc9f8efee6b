import { expect, it } from 'vitest';
import { readOne } from '../../test/index.ts';
import {
  ACCESS_TYPE,
  FURTHER_TRUST_TYPES,
  TRUST_DIRECTION,
  TRUST_TYPE,
  trustAttributeBits,
  wordOf,
} from './words.ts';

const [DOMAIN, OTHER] = ['S-1-5-21-1-1-1', 'S-1-5-21-2-2-2'];

const ENUMERATIONS = { TRUST_DIRECTION, TRUST_TYPE, ACCESS_TYPE };

it.each(Object.entries(ENUMERATIONS))('reads each word of %s as a name and as a number', (_, words) => {
  for (const [number, word] of Object.entries(words)) {
    for (const form of [word, word.toLowerCase(), Number(number), number, ` ${word} `])
      expect(wordOf(form, words)).toBe(word);
  }
  for (const form of ['Sideways', 77, '77', -1, 1.5, true, null, undefined, [], {}])
    expect(wordOf(form, words)).toBeUndefined();
});

it('reads names of trust attributes as their bits', () => {
  expect(trustAttributeBits('ForestTransitive, TreatAsExternal')).toBe(0x48);
  expect(trustAttributeBits('ForestTransitive, Unheard')).toBeUndefined();
});

const trust = (direction: unknown, type: unknown, attributes: unknown) =>
  readOne('domains', {
    ObjectIdentifier: DOMAIN,
    Properties: { name: 'a', collected: true },
    Trusts: [
      {
        ...{ TargetDomainSid: OTHER, TargetDomainName: 'b', IsTransitive: true, SidFilteringEnabled: true },
        ...{ TrustDirection: direction, TrustType: type, TrustAttributes: attributes },
      },
    ],
  });

it('reads a trust with numbers like one with words', async () => {
  for (const [direction, directionWord] of Object.entries(TRUST_DIRECTION)) {
    for (const [type, typeWord] of Object.entries(TRUST_TYPE)) {
      const words = await trust(directionWord, typeWord, 'ForestTransitive');
      const expected = { 0: 0, 1: 1, 2: 1, 3: 2 }[Number(direction)];
      expect(words.edges).toHaveLength(expected as number);
      expect(await trust(Number(direction), Number(type), 8)).toEqual(words);
      expect(await trust(direction, type, '8')).toEqual(words);
    }
  }
  for (const word of FURTHER_TRUST_TYPES) expect((await trust('Inbound', word, 8)).issues).toEqual([]);
});

it('reports unreadable parts of a trust', async () => {
  expect((await trust('Sideways', 'Forest', 0)).issues).toEqual([
    'repaired: "Trusts.TrustDirection" is not a known word',
    'repaired: a trust without a known direction creates no relationship',
  ]);
  expect((await trust(3, 'Pact', 8)).issues).toEqual([
    'note: the type of a trust is unknown; it counts as a trust between forests',
  ]);
});
