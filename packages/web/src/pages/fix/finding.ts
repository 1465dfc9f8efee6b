/** What the page of a finding reads: its texts, and the way that it is part of. */
import type { UnifiedFindingRow } from '@clew/api';
import { ApiError, type PathOptions } from '@clew/client';
import { useQuery } from '@tanstack/react-query';
import { EMPTY_GRAPH, fromUnified, type Graph, unite } from '../../graph/model.ts';
import { withClient } from '../../service/client.ts';

export type TextName =
  | 'short_description'
  | 'long_description'
  | 'short_remediation'
  | 'long_remediation'
  | 'references';

/** Markdown about a type; empty where there is none. */
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
  readonly graph: Graph;
  readonly from: string;
  readonly to: string;
}

/** Over the relation of the finding, and on to its environment where the target leads there. */
export function useWay(row: UnifiedFindingRow | undefined, kind: string | undefined) {
  return useQuery({
    queryKey: ['way', row?.id, kind],
    enabled: row !== undefined,
    queryFn: ({ signal }) => readWay(row!, kind, signal),
  });
}

async function readWay(row: UnifiedFindingRow, kind: string | undefined, signal: AbortSignal): Promise<Way> {
  const { source_principal_id: source, target_principal_id: target, environment_id: environment } = row;
  const between = async (from: string, to: string, options: PathOptions): Promise<Graph | undefined> => {
    try {
      const graph = await withClient((client) => client.shortestPath(from, to, { ...options, signal }));
      return graph && fromUnified(graph);
    } catch (error) {
      // An object that has gone since has no path.
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  };
  const onward =
    target === environment ? undefined : await between(target, environment, { onlyTraversable: true });
  if (row.finding_type !== 'relationship' || kind === undefined)
    return { graph: onward ?? EMPTY_GRAPH, from: target, to: environment };
  const relation = await between(source, target, { kinds: { in: [kind] } });
  if (relation === undefined) return { graph: onward ?? EMPTY_GRAPH, from: target, to: environment };
  if (onward === undefined || onward.nodes.has(source)) return { graph: relation, from: source, to: target };
  return { graph: unite([relation, onward]), from: source, to: environment };
}
