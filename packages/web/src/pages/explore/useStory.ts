/** The paths of an answer one by one: the current path, its cut, and the step being played. */
import type { PathRepairsRecord } from '@clew/api';
import { useMemo, useState } from 'react';
import { edgeKey, type Graph } from '../../graph/model.ts';
import { type Player, usePlayer } from '../../parts/PathPlayer.tsx';
import { isSet } from './endSets.ts';
import type { ExploreState } from './exploreState.ts';
import { type StoryPaths, type StoryStep, stepsAlong, storyPaths } from './storyPaths.ts';
import type { Found } from './useExploreGraph.ts';
import { usePathRepairs } from './usePathRepairs.ts';

export interface StoryState extends StoryPaths {
  /** Position of the current path; 0 without paths. */
  readonly number: number;
  readonly go: (number: number) => void;
  readonly path: readonly StoryStep[] | undefined;
  readonly repairs: PathRepairsRecord | undefined;
  /** Lines of the cheapest cut of this path. */
  readonly cut: ReadonlySet<string>;
  readonly player: Player;
  readonly played: StoryStep | undefined;
}

const NO_PATHS: StoryPaths = { paths: [], isAll: true };

/** @param found the answer; absent until it arrives, and in other modes */
export function useStory(
  graph: Graph,
  found: Found | undefined,
  { mode, to }: Pick<ExploreState, 'mode' | 'to'>,
): StoryState {
  const { paths, isAll } = useMemo(
    () => (found === undefined || mode !== 'path' ? NO_PATHS : pathsOf(graph, found, to)),
    [graph, found, mode, to],
  );
  const [at, setAt] = useState(0);
  const number = Math.min(at, Math.max(0, paths.length - 1));
  const path = paths[number];
  const repairs = usePathRepairs((path ?? []).map(({ edges }) => edges)).data?.data;
  const cheapest = path === undefined ? undefined : path[repairs?.cheapest ?? -1];
  const cutKey = cheapest === undefined ? '' : JSON.stringify(cheapest.edges.map(edgeKey));
  const cut = useMemo(() => new Set<string>(cutKey === '' ? [] : JSON.parse(cutKey)), [cutKey]);
  const player = usePlayer(path?.length ?? 0);
  const played = player.step === undefined ? undefined : path?.[player.step];
  const go = (to: number) => {
    player.run(false);
    player.go(undefined);
    setAt(to);
  };
  return { paths, isAll, number, go, path, repairs, cut, player, played };
}

function pathsOf(graph: Graph, found: Found, to: string | undefined): StoryPaths {
  const known = found.paths
    ?.map(({ nodes }) => stepsAlong(graph, nodes))
    .filter((path) => path !== undefined && path.length > 0);
  if (known !== undefined && known.length > 0)
    return { paths: known as readonly (readonly StoryStep[])[], isAll: true };
  return storyPaths(graph, found.starts, to === undefined || isSet(to) ? [] : [to]);
}
