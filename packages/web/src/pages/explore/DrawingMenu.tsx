/** The menu of an object, a relationship or the background of the drawing in Explore. */
import { isFolded } from '../../graph/fold.ts';
import type { GraphNode } from '../../graph/model.ts';
import { useSelf } from '../../service/self.ts';
import { ContextMenu, type MenuPlace } from './ContextMenu.tsx';
import { markChanges, useMarkChange } from './markChange.ts';
import type { Explore } from './useExplore.ts';

type Item = readonly [words: string, act: () => void];

interface DrawingMenuProps {
  readonly explore: Explore;
  readonly place: MenuPlace;
  readonly marksOf: ReturnType<typeof useMarks>;
}

export function DrawingMenu({ explore, place, marksOf }: DrawingMenuProps) {
  const { graph, whole, actions, address, state, layout, dispatch } = explore;
  const { id } = place;
  return (
    <ContextMenu
      {...{ place, graph, actions, address, state }}
      isPinned={id !== undefined && layout.pinned.has(id)}
      ground={groundItems(explore)}
      onRelease={() => id !== undefined && layout.release(id)}
      onPin={() => {
        const node = layout.drawing.nodes.find((one) => one.id === id);
        if (node !== undefined) layout.move(node.id, { x: node.x, y: node.y });
      }}
      marks={marksOf(whole.nodes.get(id ?? ''))}
      onCannotChange={explore.cannotChange}
      onClose={() => dispatch({ type: 'menu', place: undefined })}
    />
  );
}

function groundItems({ actions, state, layout, dispatch, save, address }: Explore): readonly Item[] {
  const last = actions.done.at(-1);
  return [
    ...(last === undefined ? [] : [[`Undo: ${last}`, () => void actions.undo()] as const]),
    ...(state.hidden.size > 0 ? [[`Show hidden (${state.hidden.size})`, actions.unhide] as const] : []),
    [
      'Select all',
      () => {
        const ids = layout.drawing.nodes.map(({ id }) => id).filter((id) => !isFolded(id));
        dispatch({ type: 'mark', ids });
      },
    ],
    ['Paste names…', () => dispatch({ type: 'dialog', dialog: 'paste' })],
    ...(save === undefined ? [] : [['Save…', save] as const]),
    ['View as table', () => address.set({ show: 'table' }, { replace: true })],
  ];
}

/**
 * Used in the region of the drawing, because a change continues after the menu is closed.
 * @returns the marks of an object that the user may change, such as owned, with actions to change them
 */
export function useMarks(): (node: GraphNode | undefined) => readonly Item[] {
  const mayWrite = useSelf()?.may('graphdb/Write') === true;
  const marks = useMarkChange();
  return (node) =>
    node === undefined || !mayWrite
      ? []
      : markChanges(node).map((change) => [change.words, () => marks.mutate(change)]);
}
