import { expect, it } from 'vitest';
import { acceptDraftName } from './accepted.ts';

it('findings with the same title have drafts of their own', () => {
  const closed = (object_id: string) => ({
    ...{ finding: 'T0DCSync', environment_id: 'S-1', asset_group_tag_id: 1 },
    ...{ source: { object_id }, target: { object_id: 'T' } },
  });
  const names = [
    acceptDraftName({ findings: [{ id: 12 }] }),
    acceptDraftName({ findings: [{ id: 13 }] }),
    acceptDraftName({ closed: [closed('A')], count: 1 }),
    acceptDraftName({ closed: [closed('B')], count: 1 }),
  ];
  expect(new Set(names).size).toBe(4);
  expect(acceptDraftName({ closed: [closed('B'), closed('A')], count: 2 })).toBe(
    acceptDraftName({ closed: [closed('A'), closed('B')], count: 2 }),
  );
});
