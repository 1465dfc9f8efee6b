/** The change feed over HTTP. */
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
        return { status: 200, json: { data: [], watches: [], next, has_more: false } };
      }
      const since = await readPlace(db, query.since);
      const { rows, watches, next, hasMore } = await changesSince(
        db,
        visibleEnvironments(principal),
        since,
        query.limit,
        principal.kind === 'user' ? principal : undefined,
      );
      const data = rows.map((row) => ({
        type: row.change_type,
        at: row.updated_at,
        cause: row.change_type === 'finding.opened' ? row.began_by : row.changed_by,
        finding: unifiedFinding(row),
      }));
      const told = watches.map(({ changed_at, ...watch }) => ({ ...watch, at: changed_at }));
      return { status: 200, json: { data, watches: told, next: writePlace(next), has_more: hasMore } };
    },
  };
}
