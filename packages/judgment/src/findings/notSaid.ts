/**
 * Fields that no object of an environment has in the latest analysis, with the findings that need them. Rule:
 * `docs/reference/collections.md#fields-by-collector`.
 */
import type { NotSaid } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

interface Gap {
  readonly environment_id: string;
  readonly finding: string;
  readonly missing: readonly string[];
}

/** @param titleOf title of a finding type that still exists @returns missing fields by environment, in field order */
export async function storedNotSaid(
  db: Db,
  titleOf: (finding: string) => string | undefined,
): Promise<ReadonlyMap<string, readonly { fields: string[]; findings: string[] }[]>> {
  const { rows } = await sql<{ gaps: readonly Gap[] | null }>`
    select report -> 'gaps' as gaps from finding_run order by id desc limit 1`.execute(db);
  const gaps = rows[0]?.gaps ?? [];
  const byEnvironment = Map.groupBy(gaps, ({ environment_id }) => environment_id);
  return new Map([...byEnvironment].map(([id, all]) => [id, groupByFields(all, titleOf)]));
}

function groupByFields(
  gaps: readonly Gap[],
  titleOf: (finding: string) => string | undefined,
): { fields: string[]; findings: string[] }[] {
  const byFields = Map.groupBy(gaps, ({ missing }) => [...missing].sort().join(' '));
  return [...byFields]
    .map(
      ([fields, all]): NotSaid => ({
        fields: fields.split(' '),
        findings: [...new Set(all.map(({ finding }) => titleOf(finding) ?? finding))].sort(),
      }),
    )
    .sort((a, b) => (a.fields.join() < b.fields.join() ? -1 : 1))
    .map(({ fields, findings }) => ({ fields: [...fields], findings: [...findings] }));
}
