/**
 * Writes findings of every type to the store that an upload does not cause: in each environment one that starts in each other one, and one
 * about an object of each other one. For tests of operations that read findings; other tests cover how types are found.
 */
import { FINDING_TYPES } from '@clew/analysis';
import type { Database } from '@clew/store';
import { idOf, MARKS, PLACES, type Place } from './markedEnvironments.ts';

/** Types of the test's own extension and check. */
const DECLARED = [
  ['MRK_Finding', 'relationship'],
  ['Check_Marked', 'list'],
] as const;

const subjectOf = (place: Place): string => idOf(place, place === 'CLOUD' ? 'AZServicePrincipal' : 'Group');
const nameOf = (place: Place): string =>
  `${place === 'CLOUD' ? 'AZSERVICEPRINCIPAL' : 'GROUP'}@${MARKS[place].word}.EXAMPLE`;

export async function insertCrossingFindings(pool: Database['pool']): Promise<void> {
  const types = [...FINDING_TYPES.map(({ id, kind }) => [id, kind] as const), ...DECLARED];
  for (const [type, kind] of types)
    for (const at of PLACES)
      for (const other of PLACES.filter((one) => one !== at)) {
        if (kind === 'relationship') await insert(pool, { type, at, source: other, target: at });
        await insert(pool, { type, at, target: other, ...(kind === 'relationship' && { source: at }) });
      }
}

interface Crossing {
  readonly type: string;
  readonly at: Place;
  readonly source?: Place;
  readonly target: Place;
}

async function insert(pool: Database['pool'], { type, at, source, target }: Crossing): Promise<void> {
  await pool.query(
    `insert into finding (environment_id, tag_id, finding, source_id, target_id, kind, is_inherited, source_name, source_kind,
       source_environment_id, target_name, target_kind, target_environment_id, also_from, principal_hash, status,
       exposure_count, exposure_percentage, impact_count, impact_percentage, severity, group_id, exposure_from,
       plan_repair_title, created_at, updated_at)
     select $1, 0, $2, $3, $4, $5, false, $6, $7, $8, $9, 'Group', $10, $11, 'hash ' || $9, 'active', 1, 0.1, 1, 0.1, 2, 'group ' || $9,
       jsonb_build_array(jsonb_build_object('environment_id', $10::text, 'count', 1, 'percentage', 0.5)),
       'Repair ' || $9, published_at, published_at
     from publication_clock
     on conflict do nothing`,
    [
      ...[MARKS[at].id, type, source === undefined ? '' : subjectOf(source), subjectOf(target)],
      ...[source === undefined ? 'list' : 'relationship', source === undefined ? '' : nameOf(source)],
      ...[source === undefined ? '' : 'Group', source === undefined ? null : MARKS[source].id],
      ...[nameOf(target), MARKS[target].id, source === undefined ? [] : [subjectOf(source)]],
    ],
  );
}
