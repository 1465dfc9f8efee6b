/** The feed of changes over HTTP. */
import type { Handlers } from '@clew/common';
import { changesSince, endOfFeed, readPlace, writePlace } from '../changes.ts';
import { visibleEnvironments } from './askedScope.ts';
import type { FindingParts } from './findingParts.ts';
import { unifiedFinding } from './findingRecords.ts';

export function changeHandlers({ db }: FindingParts): Handlers<'ListChanges'> {
  return {
    async ListChanges({ query }, { principal }) {
      if (query.since === undefined) {
        const next = writePlace(await endOfFeed(db));
        return { status: 200, json: { data: [], next, has_more: false } };
      }
      const since = await readPlace(db, query.since);
      const { rows, next, hasMore } = await changesSince(
        db,
        visibleEnvironments(principal),
        since,
        query.limit,
      );
      const data = rows.map((row) => ({
        type: row.change_type,
        at: row.updated_at,
        cause: row.change_type === 'finding.opened' ? row.began_by : row.changed_by,
        finding: unifiedFinding(row),
      }));
      return { status: 200, json: { data, next: writePlace(next), has_more: hasMore } };
    },
  };
}
