import { expect, it } from 'vitest';
import { exposureBase, shareIn, simulatedFall } from './planFigures.ts';

const exposure = (environment_id: string, exposed_count: number, principal_count: number, zone = 1) => ({
  ...{ environment_id, environment_name: environment_id, asset_group_tag_id: zone },
  ...{ exposed_count, principal_count, exposure: exposed_count / principal_count },
});

it('the figures after simulated changes have the principals after them, or those before where these are missing', () => {
  const record = {
    before: [exposure('A', 60, 100), exposure('B', 20, 100), exposure('A', 9, 9, 2)],
    after: [exposure('A', 10, 60), exposure('A', 1, 9, 2)],
  };
  const { before, after } = simulatedFall(record, 1);
  expect(before).toEqual({ exposed: 80, all: 200 });
  expect(after).toEqual({ exposed: 30, all: 160 });
  expect([shareIn(before), shareIn(after)]).toEqual([0.4, 0.1875]);
  expect(shareIn({ exposed: 0, all: 0 })).toBe(0);
});

it('names the base of a share by its only environment, or by their number, because others may be hidden', () => {
  expect(exposureBase([exposure('A', 60, 100)])).toBe('Exposure of A');
  expect(exposureBase([exposure('A', 60, 100), exposure('B', 20, 100)])).toBe('Exposure of 2 environments');
});
