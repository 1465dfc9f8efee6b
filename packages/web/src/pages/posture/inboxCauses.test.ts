import type { InboxItem } from '@clew/api';
import { expect, it } from 'vitest';
import { inboxCauses } from './inboxCauses.ts';

const AT = '2026-11-29T15:53:21Z';

const opened = (id: number, finding: string, cause = 'data', at = AT): InboxItem =>
  ({
    ...{ key: `opened:${id}`, kind: 'opened', at, done: false, by: null },
    finding: { id, finding, severity: 'high', asset_group_tag_id: 1, status: 'active', began_by: cause },
  }) as unknown as InboxItem;

const upload: InboxItem = {
  ...{ key: 'upload:1', kind: 'upload', at: '2026-11-29T15:53:18Z', done: false, by: 'admin', count: 34 },
};

it('rows are below the upload or the decision that brought them, and similar ones are one row', () => {
  const rows = [1, 2, 3, 4].map((id) => opened(id, 'T0DCSync'));
  const causes = inboxCauses([...rows, opened(5, 'T0Owns'), opened(6, 'T0Owns', 'zones')], [upload]);
  expect(
    causes.map(({ title, entries }) => [title?.split(',')[0], entries.map(({ items }) => items.length)]),
  ).toEqual([
    ['Upload of 34 files by admin', [4, 1]],
    ['Zones were edited', [1]],
  ]);
});

it('a few similar rows stay rows, and so do rows that are not about what opened or closed', () => {
  const rows = [1, 2, 3].map((id) => opened(id, 'T0DCSync'));
  expect(inboxCauses(rows, [])).toEqual([
    {
      title: expect.stringMatching(/^New data, /),
      entries: rows.map((item) => ({ key: item.key, items: [item] })),
    },
  ]);
  expect(inboxCauses([upload], [upload])).toEqual([{ entries: [{ key: 'upload:1', items: [upload] }] }]);
  // An upload on another day caused another change.
  const [{ title } = {}] = inboxCauses([opened(1, 'T0Owns', 'data', '2026-12-24T00:00:00Z')], [upload]);
  expect(title).toMatch(/^New data, /);
});

it('an upload that ended after the analysis did not bring it, however near it is', () => {
  const endedAt = (at: string, by: string): InboxItem => ({ ...upload, key: `upload:${by}`, at, by });
  const earlier = endedAt('2026-11-29T15:49:00Z', 'mira');
  const last = endedAt('2026-11-29T15:51:00Z', 'noor');
  const after = endedAt('2026-11-29T15:53:22Z', 'admin');
  const titleWith = (uploads: readonly InboxItem[]) =>
    inboxCauses([opened(1, 'T0Owns')], uploads)[0]?.title?.split(',')[0];
  expect(titleWith([after, earlier, last])).toBe('Upload of 34 files by noor');
  expect(titleWith([after])).toBe('New data');
  expect(titleWith([endedAt(AT, 'admin')])).toBe('Upload of 34 files by admin');
});
