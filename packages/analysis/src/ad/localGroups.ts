/** Local groups by the computer they are on, found by the end of their object id. */
import { encodeText, textEndsWith } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';

/** Ends of object ids of local groups that grant access. Source: `docs/rules.md#known-object-ids`. */
export const LocalGroup = {
  administrators: '-544',
  remoteDesktopUsers: '-555',
  distributedComUsers: '-562',
  remoteManagementUsers: '-580',
} as const;

export type LocalGroupSuffix = (typeof LocalGroup)[keyof typeof LocalGroup];

export interface LocalGroups {
  /** Computer to its group; the first one when a computer has several of a suffix. Ascending computers. */
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
