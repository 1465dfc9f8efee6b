import { expect, test } from 'vitest';
import { readCheck } from './checkMembers.ts';

test('unknown members of a check are errors, with the name that was probably meant', async () => {
  const check = {
    ...{
      $schema: 'x',
      name: 'Check_A',
      title: 'A',
      severity: 'low',
      cypher: 'MATCH (n) RETURN n',
      ownr: 'B',
    },
    remediation: { long_descripton: 'x' },
    repair: { change: 'remove-relation', relationship_kinds: ['Owns'], direction: 'in', note: 'x' },
  };
  const read = await readCheck(check);
  expect('faults' in read && read.faults.texts()).toEqual([
    '/ownr: is not a member of a check: did you mean owner?',
    '/remediation/long_descripton: is not a member of a remediation: did you mean long_description?',
    '/repair/note: is not a member of a repair',
  ]);
});
