/** The inbox over HTTP: changes since the user's last visit. Rule: `docs/history.md#inbox`. */
import type { InboxGroup, InboxGroupName } from '@clew/api';
import { apiError, type Handlers, parseTime, requireUser } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import { type Db, inSnapshot } from '@clew/store';
import { sql } from 'kysely';
import { seenBy, sightOf } from '../tasks/sight.ts';
import {
  assignedRows,
  closedRows,
  expiringRows,
  type InboxRows,
  type InboxScope,
  openedRows,
  overdueRows,
} from './inboxFindings.ts';
import { mark, readBefore } from './marks.ts';
import { mentionRows } from './mentionRows.ts';
import { approvalRows, certificationRows, decisionRows, uploadRows } from './otherRows.ts';
import { planRows } from './planRows.ts';

interface InboxParts {
  readonly db: Db;
  readonly generations: GenerationSource;
}

const DEFAULT_MS = 30 * 24 * 60 * 60 * 1000;

export function inboxHandlers({ db, generations }: InboxParts): Handlers<'GetInbox' | 'MarkInbox'> {
  return {
    async GetInbox({ query, rawQuery }, { principal }) {
      const user = requireUser(principal);
      const generation = generations.current();
      const sight = sightOf(generation, principal);
      const { limit, all } = query;
      const data = await inSnapshot(db, async (snapshot) => {
        const read = await readBefore(snapshot, user.userId);
        const since =
          timeOf(rawQuery.get('since')) ?? read ?? new Date(Date.now() - DEFAULT_MS).toISOString();
        const { from, to } = await instants(snapshot, since);
        if (from === null) return { from, to, read_before: read, count: 0, groups: [] };
        const scope: InboxScope = { user: user.userId, visible: seenBy(principal), from, read, all, limit };
        const { verified, repairs } = await planRows(snapshot, generation, sight, scope);
        const mayAccept = user.permissions.has('risks/ManageRisks');
        const waiting = [
          await mentionRows(snapshot, generation, sight, scope),
          await assignedRows(snapshot, scope),
          repairs,
          ...(mayAccept
            ? [
                await overdueRows(snapshot, scope),
                await approvalRows(snapshot, scope),
                await expiringRows(snapshot, scope),
              ]
            : []),
          ...(user.permissions.has('graphdb/Write') ? [await certificationRows(snapshot, scope)] : []),
          // Decisions are news; the rows before them are work.
          await decisionRows(snapshot, scope),
        ];
        const mayReadUploads =
          user.permissions.has('graphdb/IngestRead') || user.permissions.has('graphdb/IngestManage');
        const groups = [
          group('opened', limit, [await openedRows(snapshot, scope)]),
          group('closed', limit, [await closedRows(snapshot, scope)]),
          group('verified', limit, [verified]),
          group('waiting', limit, waiting),
          group('data', limit, mayReadUploads ? [await uploadRows(snapshot, scope)] : []),
        ];
        const count = groups.reduce((sum, one) => sum + one.count, 0);
        return { from, to, read_before: read, count, groups };
      });
      return { status: 200, json: { data } };
    },

    async MarkInbox({ body: { done, undone, read_before } }, { principal }) {
      const user = requireUser(principal);
      const before = typeof read_before === 'string' ? timeOf(read_before, 'read_before') : read_before;
      return {
        status: 200,
        json: { data: { read_before: await mark(db, user.userId, { done, undone }, before) } },
      };
    },
  };
}

function group(name: InboxGroupName, limit: number, parts: readonly InboxRows[]): InboxGroup {
  return {
    group: name,
    count: parts.reduce((sum, { count }) => sum + count, 0),
    has_more: parts.some(({ hasMore }) => hasMore),
    items: parts.flatMap(({ items }) => items).slice(0, limit),
  };
}

/** The analysis at a time, or the first one; changes after it count. */
async function instants(db: Db, since: string) {
  const { rows } = await sql<{ from: string | null; to: string | null }>`
    select coalesce(max(published_at) filter (where published_at <= ${since}::timestamptz), min(published_at)) as from,
      max(published_at) as to
    from finding_run`.execute(db);
  return rows[0];
}

/** @throws ApiError 400 */
function timeOf(text: string | null, name = 'since'): string | undefined {
  if (text === null || text === '') return undefined;
  const time = parseTime(text);
  if (time === undefined) throw apiError('malformedQueryParameter', { name, reason: 'must be a time' });
  return time;
}
