import { ApiError, type ClewClient } from '@clew/client';
import { expect, test } from 'vitest';
import { countsText, differences } from './countsAgree.ts';

const COUNTED = [
  { what: 'nodes of the kind User', label: 'User', listed: 1200 },
  { what: 'members of Tier Zero', label: 'Tag_Tier_Zero', listed: 31 },
];

test('names each count that differs; a label unknown to Cypher counts as zero', () => {
  expect(
    differences(
      COUNTED,
      new Map([
        ['User', 1200],
        ['Tag_Tier_Zero', 31],
      ]),
    ),
  ).toBe('');
  expect(differences(COUNTED, new Map([['User', 1199]]))).toBe(
    'The service contradicts itself: nodes of the kind User: 1,200 listed, but Cypher counts 1,199.\n' +
      'The service contradicts itself: members of Tier Zero: 31 listed, but Cypher counts 0.\n',
  );
});

/** A service whose generation changes with each request, or that refuses queries. */
const service = ({ moves = false, refuses = false }): ClewClient => {
  let generation = 1;
  const answers: Record<string, () => unknown> = {
    GetGraphStatistics: () => ({
      generation: moves ? generation++ : 1,
      collected: { nodes: { User: 1 } },
      derived: { nodes: { User: 1 } },
    }),
    GetAssetGroupTags: () => ({ tags: [] }),
    RunCypherQuery: () => {
      if (refuses) throw new ApiError({ ...refusal, messages: ['no permission for this'] });
      return { rows: [[0, 1]] };
    },
  };
  return { call: async (operation: string) => ({ data: answers[operation]?.() }) } as unknown as ClewClient;
};

const refusal = { status: 403, context: '', requestId: undefined, retryAfter: undefined };
const signal = new AbortController().signal;

test('only reports that counts were not compared if an analysis changed in between', async () => {
  expect(await countsText(service({ moves: true }), signal)).toMatch(/^Counts could not be compared/);
  expect(await countsText(service({}), signal)).toMatch(/User: 2 listed, but Cypher counts 1\.\n$/);
});

test('explains why counts were not compared', async () => {
  expect(await countsText(service({ refuses: true }), signal)).toMatch(
    /^Counts could not be compared with those of Cypher: .*no permission/,
  );
});
