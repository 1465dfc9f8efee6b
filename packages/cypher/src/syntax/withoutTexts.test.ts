import { expect, it } from 'vitest';
import { withoutTexts } from './withoutTexts.ts';

it.each([
  ["MATCH (n) WHERE n.name = 'ALICE' RETURN n", "MATCH (n) WHERE n.name = '…' RETURN n"],
  [
    'MATCH (n:User {name: "A\\"LICE"})\nRETURN n.name + \'@\' AS `A b`',
    "MATCH (n:User {name: '…'})\nRETURN n.name + '…' AS `A b`",
  ],
  ['MATCH (n) // all of ALICE\nRETURN n /* of BOB */ LIMIT 20', 'MATCH (n) RETURN n LIMIT 20'],
  ["MATCH (n) WHERE n.name = 'ALICE", '…'],
])('removes texts and comments from %j', (query, shown) => {
  expect(withoutTexts(query)).toBe(shown);
});
