/** Local groups by computer, identified by the suffix of their object id. */
import { encodeText, textEndsWith } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';

/** Suffixes of object ids of local groups that grant access. Source: `docs/rules.md#known-object-ids`. */
export const LocalGroup = {
  administrators: '-544',
  remoteDesktopUsers: '-555',
  distributedComUsers: '-562',
  remoteManagementUsers: '-580',
} as const;

export type LocalGroupSuffix = (typeof LocalGroup)[keyof typeof LocalGroup];

export interface LocalGroups {
  /** Maps computers to their group, in ascending order; if a computer has several groups with a suffix, the first. */
  bySuffix(suffix: LocalGroupSuffix): ReadonlyMap<number, number>;
}

export const localGroups: Shared<LocalGroups> = {
  name: 'local groups',
  reads: { edges: ['LocalToComputer'] },
  build: (context) => {
    const found = new Map(Object.values(LocalGroup).map((suffix) => [suffix, collect(context, suffix)]));
    return { bySuffix: (suffix) => found.get(suffix)! };
  },
};

function collect(context: AnalysisContext, suffix: string): Map<number, number> {
  const ending = encodeText(suffix);
  const computers = context.nodesOf('Computer');
  const groups = new Map<number, number>();
  context.edges('LocalToComputer').forEach((group, _kind, computer) => {
    if (groups.has(computer) || !computers.has(computer)) return;
    if (textEndsWith(context.graph.objectIds, group, ending)) groups.set(computer, group);
  });
  return new Map([...groups].sort(([a], [b]) => a - b));
}
