/** The panel of the selection: an object, or the relationships of a line. */
import type { Address } from '../../address.ts';
import type { Drawing } from '../../graph/drawing.ts';
import { isFolded } from '../../graph/fold.ts';
import { edgeKey, type Graph } from '../../graph/model.ts';
import type { Fixed } from './CannotChange.tsx';
import { EdgePanel } from './EdgePanel.tsx';
import type { ExploreActions } from './exploreActions.ts';
import type { ExploreState } from './exploreState.ts';
import { ObjectPanel } from './ObjectPanel.tsx';

interface SelectionPanelProps {
  readonly state: ExploreState;
  readonly address: Address;
  readonly actions: ExploreActions;
  /** The graph without folding. */
  readonly whole: Graph;
  readonly drawing: Drawing;
  readonly onCenter: (object: string) => void;
  readonly onCannotChange: ((fixed: Fixed) => void) | undefined;
}

export function SelectionPanel(props: SelectionPanelProps) {
  const { state, address, actions, whole, drawing, onCenter } = props;
  const { selected } = state;
  if (selected === undefined) return null;
  const close = () => actions.select(undefined);
  const edges = edgesOf(whole, drawing.edges, selected);
  if (edges !== undefined)
    return (
      <EdgePanel
        key={selected}
        edges={edges}
        graph={whole}
        onClose={close}
        onCannotChange={props.onCannotChange}
      />
    );
  // Ids of relationships are lists; a relationship that is no longer drawn has no panel.
  if (selected.startsWith('[') || isFolded(selected)) return null;
  return (
    <ObjectPanel
      key={selected}
      objectId={selected}
      actions={actions}
      address={address}
      onCenter={state.object === selected ? undefined : () => onCenter(selected)}
      onClose={close}
    />
  );
}

/** The selected relationships: all of a line of the drawing, or one of a story or table. */
function edgesOf(
  whole: Graph,
  lines: readonly { readonly id: string; readonly edges: Graph['edges'] }[],
  selected: string,
): Graph['edges'] | undefined {
  const line = lines.find(
    ({ id, edges }) => id === selected || edges.some((edge) => edgeKey(edge) === selected),
  );
  if (line !== undefined) return line.edges;
  const edge = whole.edges.find((one) => edgeKey(one) === selected);
  return edge === undefined ? undefined : [edge];
}
