import { expect, it } from 'vitest';
import { closing } from './remainingPaths.ts';

const cut = { step: 1, cost: 2 };
const repair = { title: 'Remove ANN from HELPDESK' } as Parameters<typeof closing>[2][number];

it('distinguishes changes that the user may not see from unknown ones', () => {
  expect(closing(cut, undefined, [repair])).toEqual({
    closed_by: { ...cut, repairs: [repair] },
    not_closed: null,
  });
  for (const repairs of [[undefined], [repair, undefined]])
    expect(closing(cut, undefined, repairs)).toMatchObject({
      closed_by: null,
      not_closed: { reason: 'not-shown' },
    });
  expect(closing(undefined, 'excluded', [])).toMatchObject({
    closed_by: null,
    not_closed: { reason: 'excluded' },
  });
});
