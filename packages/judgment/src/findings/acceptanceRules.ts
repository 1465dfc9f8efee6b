/** Whether accepting a risk needs a second approver. Rule: `docs/findings.md#a-second-approver`. */
import { apiError } from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

const SETTING = 'findings.acceptance';
const MAX_DAYS = 365;

export interface AcceptanceRules {
  readonly second_approver: boolean;
  /** Days after which a request without a decision expires. */
  readonly approval_days: number;
}

const BY_DEFAULT: AcceptanceRules = { second_approver: false, approval_days: 14 };

export async function acceptanceRules(db: Db): Promise<AcceptanceRules> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', SETTING).executeTakeFirst();
  return { ...BY_DEFAULT, ...((row?.value ?? {}) as Partial<AcceptanceRules>) };
}

/** Members that are missing stay unchanged. @throws ApiError 400 for an invalid value */
export async function setAcceptanceRules(db: Db, value: Readonly<Record<string, unknown>>): Promise<void> {
  const { second_approver, approval_days: days, ...others } = { ...(await acceptanceRules(db)), ...value };
  const isDays = Number.isInteger(days) && Number(days) >= 1 && Number(days) <= MAX_DAYS;
  if (typeof second_approver !== 'boolean' || !isDays || Object.keys(others).length > 0)
    throw apiError('invalidConfigValue', {
      limits: `second_approver is true or false, and approval_days a whole number from 1 to ${MAX_DAYS}`,
    });
  await sql`
    insert into setting (key, value)
    values (${SETTING}, jsonb_build_object('second_approver', ${second_approver}::boolean, 'approval_days', ${days}::integer))
    on conflict (key) do update set value = excluded.value`.execute(db);
}
