/** Service levels: days by severity until an open finding is due. Rule: `docs/findings.md#service-levels`. */
import { SEVERITIES } from '@clew/analysis';
import { apiError } from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

const MAX_DAYS = 3650;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Days by severity, 0 without a due day, and the first day from which they count, empty without a service level. */
export async function serviceLevels(db: Db): Promise<Readonly<Record<string, number | string>>> {
  const { rows } = await sql<{ severity: number; days: number; since: string }>`
    select severity, days, since::text as since from service_level`.execute(db);
  const daysOf = (severity: string): number =>
    rows.find((row) => SEVERITIES[row.severity] === severity)?.days ?? 0;
  return {
    ...Object.fromEntries(SEVERITIES.toReversed().map((severity) => [severity, daysOf(severity)])),
    since: rows[0]?.since ?? '',
  };
}

/**
 * Members that are missing stay unchanged. Without `since`, service levels count from the day on which they are first set, so that no
 * finding is overdue because of its age before that.
 *
 * @throws ApiError 400 for an invalid value
 */
export async function setServiceLevels(db: Db, value: Readonly<Record<string, unknown>>): Promise<void> {
  // One change at a time; readers are not held up.
  await sql`lock table service_level in share row exclusive mode`.execute(db);
  const { since, ...days } = { ...(await serviceLevels(db)), ...value };
  const levels = Object.entries(days).map(([name, count]) => {
    const severity = (SEVERITIES as readonly string[]).indexOf(name);
    const isDays = Number.isInteger(count) && Number(count) >= 0 && Number(count) <= MAX_DAYS;
    if (severity < 0 || !isDays)
      throw apiError('invalidConfigValue', {
        limits: `days of ${SEVERITIES.join(', ')} are whole numbers from 0 to ${MAX_DAYS}`,
      });
    return { severity, days: Number(count) };
  });
  const from = since === '' ? new Date().toISOString().slice(0, 10) : since;
  if (!isDay(from))
    throw apiError('invalidConfigValue', {
      limits: 'since is a day such as 2026-12-31, at most a year from now',
    });
  await sql`delete from service_level`.execute(db);
  const set = levels.filter((level) => level.days > 0).map((level) => ({ ...level, since: from }));
  if (set.length > 0) await db.insertInto('service_level').values(set).execute();
}

/** A day of this or an earlier year, and at most a year ahead. */
function isDay(text: unknown): text is string {
  if (typeof text !== 'string' || !DAY.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) return false;
  return time >= Date.parse('1970-01-01') && time <= Date.now() + 366 * 86_400_000;
}
