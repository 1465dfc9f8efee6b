/** Lists the individual paths of a drawing, so that each can be shown step by step. */
import type { Graph, GraphEdge } from '../../graph/model.ts';

export interface StoryStep {
  readonly source: string;
  readonly target: string;
  /** All relationships between the two objects; the first one is drawn. */
  readonly edges: readonly GraphEdge[];
}

export interface StoryPaths {
  readonly paths: readonly (readonly StoryStep[])[];
  /** False if there are more paths than listed. */
  readonly isAll: boolean;
}

/** Maximum number of listed paths. */
const MAX_PATHS = 200;
/** Maximum number of search steps, which bounds the time for dense drawings. */
const MAX_WORK = 50_000;

/** @param starts starts of paths; by default objects without incoming edges @param ends likewise */
export function storyPaths(graph: Graph, starts: readonly string[], ends: readonly string[]): StoryPaths {
  const steps = stepsOf(graph);
  const next = Map.groupBy(steps, ({ source }) => source);
  const previous = Map.groupBy(steps, ({ target }) => target);
  const ids = [...graph.nodes.keys()];
  const begin = starts.length > 0 ? starts : ids.filter((id) => !previous.has(id) && next.has(id));
  const end = new Set(ends.length > 0 ? ends : ids.filter((id) => !next.has(id) && previous.has(id)));
  const distance = distancesTo(end, previous);
  const paths: StoryStep[][] = [];
  let work = 0;
  let isAll = true;
  const path: StoryStep[] = [];
  const visited = new Set<string>();
  const walk = (at: string): void => {
    if (paths.length >= MAX_PATHS || ++work > MAX_WORK) {
      isAll = false;
      return;
    }
    if (end.has(at) && path.length > 0) {
      paths.push([...path]);
      return;
    }
    visited.add(at);
    // Explores the nearest end first, so that shorter paths come first.
    const on = (next.get(at) ?? [])
      .filter(({ target }) => distance.has(target) && !visited.has(target))
      .sort((a, b) => distance.get(a.target)! - distance.get(b.target)!);
    for (const step of on) {
      path.push(step);
      walk(step.target);
      path.pop();
    }
    visited.delete(at);
  };
  for (const id of begin) if (graph.nodes.has(id)) walk(id);
  return { paths: paths.sort((a, b) => a.length - b.length), isAll };
}

/** @returns the steps between the objects of a known path; `undefined` if one of them is not drawn */
export function stepsAlong(graph: Graph, nodes: readonly string[]): readonly StoryStep[] | undefined {
  const byEnds = new Map(stepsOf(graph).map((step) => [`${step.source}\n${step.target}`, step]));
  const steps = nodes.slice(1).map((target, at) => byEnds.get(`${nodes[at]}\n${target}`));
  return steps.some((step) => step === undefined) ? undefined : (steps as StoryStep[]);
}

function stepsOf({ edges }: Graph): StoryStep[] {
  const byEnds = Map.groupBy(
    edges.filter(({ source, target }) => source !== target),
    ({ source, target }) => `${source}\n${target}`,
  );
  return [...byEnds.values()].map((some) => ({
    source: some[0]!.source,
    target: some[0]!.target,
    edges: some,
  }));
}

function distancesTo(
  ends: ReadonlySet<string>,
  previous: ReadonlyMap<string, readonly StoryStep[]>,
): ReadonlyMap<string, number> {
  const distance = new Map([...ends].map((id) => [id, 0]));
  const queue = [...ends];
  for (const at of queue)
    for (const { source } of previous.get(at) ?? [])
      if (!distance.has(source)) {
        distance.set(source, distance.get(at)! + 1);
        queue.push(source);
      }
  return distance;
}
