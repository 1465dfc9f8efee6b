/** Data shared by the views of one finding: its texts, its state, and the paths of the finding and of its object. */
import type { EvidenceRecord, UnifiedFindingRow } from '@clew/api';
import { ApiError } from '@clew/client';
import { useQuery } from '@tanstack/react-query';
import type { PathObject, PathStep } from '../../parts/PathStrip.tsx';
import { call, withClient } from '../../service/client.ts';
import { zoneMark } from '../fix/planFigures.ts';

export const isClosed = ({ status }: UnifiedFindingRow): boolean =>
  status !== 'active' && status !== 'accepted';

const REASONS: Readonly<Record<string, string>> = {
  remediated: 'An analysis no longer found it.',
  orphaned: 'Its environment or its zone was removed, or the zone was edited.',
  deprecated:
    'Its type was removed, newer rules do not find it, or a large part of its environment was not reported again.',
};

/** @returns a sentence with the reason why a finding is closed */
export const closedReason = ({ status, changed_by, changed_because }: UnifiedFindingRow): string =>
  changed_by === 'answers'
    ? `It does not count, because ${changed_because ?? 'someone answered a question about a CA'}; nothing was repaired.`
    : (REASONS[status] ?? '');

/** The relationship of a closed finding; `undefined` for a finding about an object. */
export function closedWay(row: UnifiedFindingRow): Way | undefined {
  if (row.relation === undefined) return undefined;
  const object = (end: 'source' | 'target'): PathObject => ({
    object_id: row[`${end}_principal_id`],
    name: row[`${end}_principal_name`],
    kind: row[`${end}_principal_kind`],
  });
  const note = row.status === 'remediated' ? 'no longer there' : 'closed';
  return { nodes: [object('source'), object('target')], steps: [{ kind: row.relation, isCut: true, note }] };
}

/** @returns the steps of a path through a finding, with its own step marked */
export const stepsOf = ({
  relations,
  efforts,
  finding_step,
}: Pick<NonNullable<EvidenceRecord['attack_path']>, 'relations' | 'efforts' | 'finding_step'>): PathStep[] =>
  relations.map((kind, at) => {
    const isOwn = at === finding_step;
    return { kind, effort: efforts[at], isCut: isOwn, ...(isOwn && { note: 'this finding' }) };
  });

/** The mark of the zone that the paths of a finding reach. */
export const markOf = ({ asset_group_tag_id: zone }: UnifiedFindingRow): string => zoneMark(zone || 1);

/** Text shown if an object has no path. */
export const NO_WAY =
  'No attack path starts at this object itself. It weakens the objects that depend on it; findings about relationships show the paths that this allows.';

export type TextName =
  | 'short_description'
  | 'long_description'
  | 'short_remediation'
  | 'long_remediation'
  | 'references';

/** Markdown about the type of a finding; empty if missing. */
export function useText(row: UnifiedFindingRow | undefined, name: TextName) {
  return useQuery({
    queryKey: ['text', row?.finding, row?.asset_group_tag_id, name],
    enabled: row !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { finding, asset_group_tag_id: zone } = row!;
      const target = `/api/v2/assets/findings/${encodeURIComponent(finding)}/${name}.md?asset_group_tag_id=${zone}`;
      return withClient(({ transport }) =>
        transport.send({ method: 'GET', target, signal }, (response) => response.text()),
      );
    },
  });
}

interface Way {
  readonly nodes: readonly PathObject[];
  readonly steps: readonly PathStep[];
}

/** The path from the object of a finding to its environment; `null` if no path exists. */
export function useWay(row: UnifiedFindingRow) {
  const { target_principal_id: from, environment_id: to } = row;
  return useQuery({
    queryKey: ['way', row.id],
    queryFn: async ({ signal }): Promise<Way | null> => {
      if (from === to) return null;
      try {
        const query = { start_node: from, end_node: to, limit: 1 };
        const [path] = (await call('GetAlternativePaths', { query }, { signal })).data.paths;
        if (path === undefined) return null;
        return {
          nodes: path.nodes,
          steps: path.relations.map((kind, at) => ({ kind, effort: path.efforts[at] })),
        };
      } catch (error) {
        // A deleted object has no path.
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}
