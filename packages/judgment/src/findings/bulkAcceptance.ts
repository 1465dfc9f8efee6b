/**
 * Accepts many findings, or ends their acceptance, in batches, so that analyses and other users can publish in between.
 *
 * Rule: `docs/findings.md#many-at-once`.
 */
import type { BulkAcceptanceRecord, ConstraintRecord } from '@clew/api';
import { type Actor, type AuditEntry, apiError, recordAudit } from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { countMore } from '../mentions/mentions.ts';
import {
  type AcceptanceTerms,
  acceptanceEntry,
  mentionInReason,
  partFields,
  writeAcceptance,
  writeForParts,
} from './acceptance.ts';
import { lockChange, recordingBefore } from './bulkChanges.ts';
import { takeInstant } from './instants.ts';

/** Findings per transaction, which takes some tenths of a second. */
export const BATCH = 2_000;

export interface AcceptedBatch {
  /** Number of the change, used to undo it. */
  readonly change: number;
  readonly terms: AcceptanceTerms;
  /** Deadline in milliseconds since the epoch: no batch starts later, and none waits longer for the lock. */
  readonly stopAt: number;
  /** Environments whose parts of the findings are accepted with them; null for all. */
  readonly visible: readonly string[] | null;
  /** Audit log fields for the changed findings of a batch. */
  readonly logged: (ids: readonly number[]) => AuditEntry['fields'];
}

export interface BulkAcceptance extends AcceptedBatch {
  readonly ids: readonly number[];
  /**
   * Called in the transaction of each batch, before it changes findings: its error leaves them as they are.
   * @returns the constraints that it adds; undefined ends the request before the batch
   */
  readonly leaveOut?: (
    transaction: Db,
    batch: readonly number[],
    isFirst: boolean,
  ) => Promise<readonly ConstraintRecord[] | undefined>;
}

interface Accepted extends Omit<BulkAcceptanceRecord, 'bulk_change_id'> {
  readonly constraints: readonly ConstraintRecord[];
}

/** @throws ApiError 400 if the end is in the past, 409 if the change was undone in the meantime */
export async function acceptFindings(
  db: Db,
  actor: Actor,
  { ids, leaveOut, ...of }: BulkAcceptance,
): Promise<Accepted> {
  const constraints: ConstraintRecord[] = [];
  let changed = 0;
  let done = 0;
  let first: readonly number[] = [];
  for (; done < ids.length; done += BATCH) {
    const batch = ids.slice(done, done + BATCH);
    let made: readonly ConstraintRecord[] | undefined = [];
    const take = async (transaction: Db) => {
      if (leaveOut !== undefined) {
        await lockChange(transaction, of.change);
        made = await leaveOut(transaction, batch, done === 0);
      }
      return made === undefined ? undefined : batch;
    };
    const accepted = await acceptBatch(db, actor, { ...of, first, take });
    if (accepted === 'past' && done === 0) throw apiError('acceptanceInPast');
    if (typeof accepted === 'string') break;
    if (first.length === 0) first = accepted;
    changed += accepted.length;
    constraints.push(...made);
  }
  return { findings: ids.length, changed, remaining: Math.max(0, ids.length - done), constraints };
}

/** PostgreSQL error code of a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03';

interface Batch extends AcceptedBatch {
  /** Findings of the first batch, which mentions of users in the reason refer to. */
  readonly first: readonly number[];
  /** Selects the findings in the transaction that accepts them. @returns undefined if none is left */
  readonly take: (transaction: Db, instant: string) => Promise<readonly number[] | undefined>;
}

/** @returns the changed findings; `late` after the deadline, `past` if the end is in the past, `none` if none is left */
export async function acceptBatch(
  db: Db,
  actor: Actor,
  { change, terms, stopAt, visible, logged, first, take }: Batch,
): Promise<readonly number[] | 'late' | 'past' | 'none'> {
  const left = Math.floor(stopAt - Date.now());
  if (left <= 0) return 'late';
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`select set_config('lock_timeout', ${`${left}ms`}, true)`.execute(transaction);
      const instant = await takeInstant(transaction);
      if (terms.until !== null && terms.until <= instant) return 'past';
      const ids = await take(transaction, instant);
      if (ids === undefined) return 'none';
      const part = { change, action: 'AcceptFindings', ids } as const;
      const { changed, parts } = await recordingBefore(transaction, part, async () => ({
        changed: await writeAcceptance(transaction, ids, terms, instant, actor),
        parts: await writeForParts(transaction, ids, terms, instant, actor, visible),
      }));
      // Mentioned users get one inbox row for all findings.
      await mentionInReason(
        transaction,
        changed,
        first.length === 0 ? terms : { ...terms, reason: '' },
        actor,
      );
      await countMore(transaction, first, terms.reason, changed.length);
      if (changed.length + parts > 0)
        await recordAudit(
          transaction,
          actor,
          acceptanceEntry(terms, { findings: changed.length, ...partFields(parts), ...logged(changed) }),
        );
      return changed;
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return 'late';
    throw error;
  }
}
