import type pg from 'pg';

/** Adds copies of a finding with other sources. */
export async function addSimilarFindings(pool: pg.Pool, id: number, count: number): Promise<void> {
  await pool.query(
    `insert into finding (environment_id, tag_id, finding, source_id, target_id, kind, is_inherited, source_name,
       source_kind, source_environment_id, target_name, target_kind, also_from, principal_hash, status, exposure_count,
       exposure_percentage, impact_count, impact_percentage, severity, created_at, updated_at)
     select environment_id, tag_id, finding, 'S-' || n, target_id, kind, is_inherited, source_name, source_kind,
       source_environment_id, target_name, target_kind, also_from, principal_hash, status, exposure_count,
       exposure_percentage, impact_count, impact_percentage, severity, created_at, updated_at
     from (select * from finding where id = $1) one, generate_series(1, $2) n`,
    [id, count],
  );
}
