import { expect, it } from 'vitest';
import { CommandError } from '../failure.ts';
import { readRelation } from './readRelations.ts';

const isKind = (word: string): boolean => ['Owns', 'Gate_HasRole'].includes(word);

it.each([
  ['A Unknown B', 'A', 'Unknown', 'B'],
  [' A  Owns\tB ', 'A', 'Owns', 'B'],
  [
    '00U1 Gate_HasRole GATE:ROLE:SUPER ADMINISTRATOR',
    '00U1',
    'Gate_HasRole',
    'GATE:ROLE:SUPER ADMINISTRATOR',
  ],
  ['A  TEAM Owns THE  ROLE', 'A  TEAM', 'Owns', 'THE  ROLE'],
  ['Owns Owns Owns', 'Owns', 'Owns', 'Owns'],
  ['Owns TEAM Gate_HasRole Owns', 'Owns TEAM', 'Gate_HasRole', 'Owns'],
])('%j is a relationship', (text, source_id, kind, target_id) => {
  expect(readRelation(text, isKind)).toEqual({ source_id, kind, target_id });
});

it.each(['', 'A', 'A Owns', 'A B C D', 'Owns A B C', 'A B C Owns', 'A Owns B Owns C'])(
  '%j is not a relationship',
  (text) => expect(() => readRelation(text, isKind)).toThrow(CommandError),
);
