/**
 * The throttle for every check of a secret: sign-in, and prompts for the current password. Attempts are counted in
 * the audit log, so that all processes count together, and restarts lose nothing. Each attempt is recorded before
 * the secret is checked, under a lock of the name, so that simultaneous attempts count, too.
 * Rule: `docs/reference/api.md#failed-sign-ins`. An attacker cannot lock a user out permanently: addresses from
 * which the user has signed in recently are accepted after any number of failures elsewhere.
 *
 *     begin ── too many ──> 429
 *       └─> intent ── end ──> success, failure     (an intent that is left behind by a crash counts for a minute)
 */

import { apiError, type RequestContext, recordAudit, sourceOf } from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type { Clock } from './clock.ts';

const WINDOW_MINUTES = 15;
/** Attempts for one name from one address, since it last signed in from there. */
const MAX_FROM_ADDRESS = 10;
/** Limit of attempts for one name from all addresses; further ones are accepted only from known addresses. */
const MAX_OF_ALL = 100;
const KNOWN_DAYS = 30;
/** A running attempt takes two seconds; an older one belongs to a process that ended. */
const PENDING_SECONDS = 60;
/** Retry interval for attempts that were refused only because of pending ones. */
const WAIT_MS = 250;
const MAX_WAITS = 20;

/** Actions of the audit log. */
export type SecretAction = 'LoginAttempt' | 'VerifySecret';

export interface SecretAttempt {
  readonly action: SecretAction;
  /** The name as typed. */
  readonly username: string;
  /** Names of the same user: the typed one, principal name and e-mail address. */
  readonly names: readonly string[];
  readonly userId?: string;
}

interface Counted {
  readonly from_address: number;
  readonly of_all: number;
  readonly pending: number;
  readonly is_known: boolean;
}

/**
 * Counts the attempt and records it.
 * @returns a function that ends it @throws ApiError 429
 */
export async function beginAttempt(
  db: Db,
  clock: Pick<Clock, 'sleep'>,
  context: RequestContext,
  attempt: SecretAttempt,
): Promise<{ end(db: Db, status: 'success' | 'failure', userId?: string): Promise<void> }> {
  for (let waits = 0; ; waits++) {
    const commitId = await admitted(db, context, attempt);
    if (typeof commitId === 'string')
      return {
        async end(on, status, userId) {
          const known = userId === undefined ? {} : { user_id: userId };
          await on
            .updateTable('audit_log')
            .set({ status, fields: sql`fields || ${JSON.stringify(known)}::jsonb` })
            .where('commit_id', '=', commitId)
            .where('status', '=', 'intent')
            .execute();
        },
      };
    if (!commitId.isPending || waits >= MAX_WAITS) throw apiError('tooManyLoginAttempts');
    await clock.sleep(WAIT_MS, context.signal);
  }
}

/**
 * Checks a secret of a user who is signed in.
 * @param isRight checks the secret @returns its result @throws ApiError 429, and its errors
 */
export async function checkThrottled(
  db: Db,
  clock: Pick<Clock, 'sleep'>,
  context: RequestContext,
  user: { readonly id: string; readonly principal_name: string; readonly email_address: string | null },
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const { id, principal_name, email_address } = user;
  const attempt = await beginAttempt(db, clock, context, {
    ...{ action: 'VerifySecret', username: principal_name, userId: id },
    names: [principal_name, ...(email_address === null ? [] : [email_address])],
  });
  let status: 'success' | 'failure' = 'failure';
  try {
    if (await isRight()) status = 'success';
  } finally {
    await attempt.end(db, status, id);
  }
  return status === 'success';
}

/** @returns the id of the entry; or that there were too many attempts, with or without running ones */
async function admitted(
  db: Db,
  context: RequestContext,
  attempt: SecretAttempt,
): Promise<string | { readonly isPending: boolean }> {
  const source = sourceOf(context);
  const lower = [...new Set(attempt.names.map((name) => name.toLowerCase()))].sort();
  return db.transaction().execute(async (transaction) => {
    // Locks names in a fixed order, so that two attempts with the same names cannot deadlock.
    for (const name of lower)
      await sql`select pg_advisory_xact_lock(hashtextextended(${`secret of ${name}`}, 0))`.execute(
        transaction,
      );
    const { rows } = await sql<Counted>`
      with attempt as (
        select status, created_at, source_ip_address = ${source} as is_from_address
        from audit_log
        where action in ('LoginAttempt', 'VerifySecret') and lower(fields ->> 'username') = any (${lower}::text[])
          and created_at > clock_timestamp() - make_interval(days => ${KNOWN_DAYS})
      ),
      entry as (select max(created_at) as at from attempt where status = 'success' and is_from_address),
      failure as (
        select is_from_address and (entry.at is null or created_at > entry.at) as counts, status
        from attempt, entry
        where status = 'failure' and created_at > clock_timestamp() - make_interval(mins => ${WINDOW_MINUTES})
          or status = 'intent' and created_at > clock_timestamp() - make_interval(secs => ${PENDING_SECONDS})
      )
      select (select count(*) from failure where counts)::integer as from_address,
             (select count(*) from failure)::integer as of_all,
             (select count(*) from failure where status = 'intent')::integer as pending,
             (select at is not null from entry) as is_known`.execute(transaction);
    const [{ from_address, of_all, pending, is_known }] = rows;
    const isTooMany = (under: number): boolean =>
      from_address - under >= MAX_FROM_ADDRESS || (of_all - under >= MAX_OF_ALL && !is_known);
    if (isTooMany(0)) return { isPending: !isTooMany(pending) };
    const commitId = crypto.randomUUID();
    const { action, username, userId } = attempt;
    const fields = { username, ...(userId !== undefined && { user_id: userId }) };
    await recordAudit(transaction, context, { action, status: 'intent', fields, commitId });
    return commitId;
  });
}
