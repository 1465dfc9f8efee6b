/** The feed of changes: changes of findings, in the order of publication. */
import Type, { type Static } from 'typebox';
import { Time } from './common.ts';
import { ChangeCause, UnifiedFindingRow } from './findings.ts';
import { WatchEvent } from './savedQueries.ts';

export const FindingChange = Type.Object({
  type: Type.Union(
    [
      Type.Literal('finding.opened'),
      Type.Literal('finding.changed'),
      Type.Literal('finding.accepted'),
      Type.Literal('finding.resolved'),
    ],
    {
      description:
        'Its change since the position in the feed: `finding.opened` is new; `finding.resolved` no longer exists, and `finding.status` says why',
    },
  ),
  at: Time,
  cause: ChangeCause,
  finding: UnifiedFindingRow,
});
export type FindingChange = Static<typeof FindingChange>;

export const ChangePage = Type.Object({
  data: Type.Array(FindingChange),
  watches: Type.Array(WatchEvent, {
    description: 'Watched queries of the caller with new or removed rows, up to the same place',
  }),
  next: Type.String({ description: 'Position in the feed: the `since` of the next request' }),
  has_more: Type.Boolean({ description: 'Whether more changes are already available' }),
});
export type ChangePage = Static<typeof ChangePage>;
