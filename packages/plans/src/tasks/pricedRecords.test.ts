/** The text about the uses of what a package removes. */
import { MAX_GIVEN } from '@clew/planning';
import { expect, it } from 'vitest';
import { usesRecord } from './pricedRecords.ts';

it('says what was counted, and that there may be more where the count has an end', () => {
  expect(usesRecord({ active: 0, sessions: 1200, given: MAX_GIVEN })).toEqual({
    text: '1,200 sessions were seen there; the groups that they leave have rights on 1,000 objects or more.',
    ...{ active_count: 0, session_count: 1200, given_count: MAX_GIVEN, template_count: null },
  });
  expect(usesRecord({ given: 1 })?.text).toBe('The groups that they leave have rights on 1 object.');
  expect(usesRecord({})?.text).toBe('');
});
