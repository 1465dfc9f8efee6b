/** Data of the page of a finding: its texts, and the path of its object. */
import type { UnifiedFindingRow } from '@clew/api';
import { ApiError } from '@clew/client';
import { useQuery } from '@tanstack/react-query';
import type { PathObject, PathStep } from '../../parts/PathStrip.tsx';
import { call, withClient } from '../../service/client.ts';

export type TextName =
  | 'short_description'
  | 'long_description'
  | 'short_remediation'
  | 'long_remediation'
  | 'references';

/** Markdown about a type; empty where none exists. */
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

/** The path from the object of a finding to its environment; nothing where it does not lead there. */
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
