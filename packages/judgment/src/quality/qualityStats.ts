/** Records of measures of generations for answers. */
import { AD_QUALITY_KINDS, AZURE_QUALITY_KINDS, type Completeness, NOT_DELETED } from '@clew/api';
import { NodeKind, type NodeKindName } from '@clew/model';
import type { MetricTotalRow, QualityRow, QualityRun } from './qualityQueries.ts';

/** Fields of every record. Measures never change, and are deleted permanently. */
export function recordOf({ id, run_id, created_at }: Pick<QualityRun, 'id' | 'run_id' | 'created_at'>) {
  return { id, created_at, updated_at: created_at, deleted_at: NOT_DELETED, run_id };
}

/** @returns the figures of domains, summed if there are several */
export function adFigures(rows: readonly QualityRow[]) {
  const { SessionCompleteness, LocalGroupCompleteness } = completenessOf(rows);
  return {
    ...kindFigures(rows, AD_QUALITY_KINDS),
    acls: sumOf(rows, ({ acls }) => acls),
    sessions: sumOf(rows, ({ sessions }) => sessions),
    relationships: sumOf(rows, ({ relationships }) => relationships),
    session_completeness: SessionCompleteness,
    local_group_completeness: LocalGroupCompleteness,
  };
}

/** @returns the figures of tenants, summed if there are several */
export function azureFigures(rows: readonly QualityRow[]) {
  return {
    ...kindFigures(rows, AZURE_QUALITY_KINDS),
    relationships: sumOf(rows, ({ relationships }) => relationships),
  };
}

/** Environments are weighted by their number of computers. */
export function completenessOf(rows: readonly QualityRow[]): Completeness {
  const active = sumOf(rows, (row) => row.active_computers);
  const share = (part: number): number => (active === 0 ? 0 : part / active);
  return {
    SessionCompleteness: share(sumOf(rows, (row) => row.session_computers)),
    LocalGroupCompleteness: share(sumOf(rows, (row) => row.group_computers)),
  };
}

export function metricFigures(row: MetricTotalRow) {
  return {
    ...recordOf(row),
    extension_id: 0,
    environment_kind_id: row.environment_kind,
    metric_type: row.metric_type,
    metric_name: row.metric_name,
    metric_value: row.metric_value,
    kind_id: row.kind_id,
  };
}

function kindFigures<Name extends string>(
  rows: readonly QualityRow[],
  kinds: Readonly<Record<Name, NodeKindName>>,
): Record<Name, number> {
  const figures = Object.entries<NodeKindName>(kinds).map(([name, kind]) => [
    name,
    sumOf(rows, ({ node_counts }) => node_counts[NodeKind[kind]] ?? 0),
  ]);
  return Object.fromEntries(figures) as Record<Name, number>;
}

function sumOf(rows: readonly QualityRow[], figure: (row: QualityRow) => number): number {
  return rows.reduce((sum, row) => sum + figure(row), 0);
}
