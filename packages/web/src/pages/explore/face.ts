/** Selects the view of an answer: a table, groups around an object, or a drawing with a layout. */
import type { Graph } from '../../graph/model.ts';
import type { ExploreState } from './exploreState.ts';
import type { Face } from './Toolbar.tsx';
import { layoutOf } from './useDrawing.ts';
import type { Found } from './useExploreGraph.ts';

/** Larger answers are shown as tables. */
const MAX_DRAWN = { nodes: 5000, edges: 20_000 };

export const isTooLargeToDraw = ({ nodes, edges }: Graph): boolean =>
  nodes.size > MAX_DRAWN.nodes || edges.length > MAX_DRAWN.edges;

const hasValues = (found: Found | undefined): boolean => (found?.result?.literals.length ?? 0) > 0;

/** Whether there are objects but no relationships, so that a drawing would be meaningless. */
const isOfObjectsAlone = (state: ExploreState, found: Found | undefined): boolean =>
  state.mode === 'query' &&
  state.layout === undefined &&
  state.expansions.length === 0 &&
  found !== undefined &&
  found.graph.nodes.size > 1 &&
  found.graph.edges.length === 0;

/**
 * A single object is shown with its groups; added objects turn it into a drawing. Values, and objects without relationships, are
 * shown as a table unless requested otherwise.
 */
export function faceOf(state: ExploreState, isTooLarge: boolean, found: Found | undefined): Face {
  const isList = hasValues(found) || isOfObjectsAlone(state, found);
  if (isTooLarge || (state.show ?? (isList ? 'table' : 'graph')) === 'table') return 'table';
  if (state.drawing !== undefined) return layoutOf(state);
  const isAlone = state.object !== undefined && state.expansions.length === 0 && !state.only;
  if (state.mode === 'object' && isAlone && state.layout === undefined) return 'grouped';
  return layoutOf(state);
}
