/** Events of started plans by month that are not in the results of analyses: contradicted marks, and passed due dates. */
import type { ProofMonth } from '@clew/api';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

export type EventCounts = Pick<ProofMonth, 'month' | 'contradicted_count' | 'overdue_count'>;

export async function eventCounts(db: Db, plan: number): Promise<readonly EventCounts[]> {
  const { rows } = await sql<EventCounts>`
    select to_char(happened_at at time zone 'UTC', 'YYYY-MM') as month,
      count(*) filter (where kind = 'contradicted')::integer as contradicted_count,
      count(*) filter (where kind = 'overdue')::integer as overdue_count
    from plan_event where plan_id = ${plan} and kind in ('contradicted', 'overdue') group by 1`.execute(db);
  return rows;
}
