/**
 * How often a sign-in may fail: counted from the audit log, so that all processes count together and a restart forgets
 * nothing. Rule: `docs/reference/api.md#failed-sign-ins`. An attacker cannot lock a user out for good: addresses from
 * which the user has signed in lately are let in however often others failed.
 */
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { apiError } from '../operation/apiError.ts';

const WINDOW_MINUTES = 15;
/** Of one name from one address, since it last signed in from there. */
const MOST_FROM_ADDRESS = 10;
/** Of one name from all addresses: more come from known addresses only. */
const MOST_OF_ALL = 100;
const KNOWN_DAYS = 30;

interface Counted {
  readonly from_address: number;
  readonly of_all: number;
  readonly is_known: boolean;
}

/**
 * @param names that mean the same user: what was typed, principal name and e-mail address
 * @param source address as the audit log has it
 * @throws ApiError 429
 */
export async function requireFewFailures(db: Db, names: readonly string[], source: string): Promise<void> {
  const lower = [...new Set(names.map((name) => name.toLowerCase()))];
  const { rows } = await sql<Counted>`
    with attempt as (
      select status, created_at, source_ip_address = ${source} as is_from_address
      from audit_log
      where action = 'LoginAttempt' and lower(fields ->> 'username') = any (${lower}::text[])
        and created_at > clock_timestamp() - make_interval(days => ${KNOWN_DAYS})
    ),
    entry as (select max(created_at) as at from attempt where status = 'success' and is_from_address),
    failure as (
      select is_from_address and (entry.at is null or created_at > entry.at) as counts
      from attempt, entry
      where status = 'failure' and created_at > clock_timestamp() - make_interval(mins => ${WINDOW_MINUTES})
    )
    select (select count(*) from failure where counts)::integer as from_address,
           (select count(*) from failure)::integer as of_all,
           (select at is not null from entry) as is_known`.execute(db);
  const [{ from_address, of_all, is_known }] = rows;
  if (from_address >= MOST_FROM_ADDRESS || (of_all >= MOST_OF_ALL && !is_known))
    throw apiError('tooManyLoginAttempts');
}
