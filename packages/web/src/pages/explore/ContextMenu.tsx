/** Actions for the object under the pointer; the panel has all of them too. */
import { useEffect, useRef } from 'react';
import { type Address, objectPath } from '../../address.ts';
import { EDGE_CATEGORIES, TRAVERSABLE_KINDS } from '../../edges/edgeKinds.ts';
import { isFolded } from '../../graph/fold.ts';
import { edgeKey, type Graph, plainName } from '../../graph/model.ts';
import { addToBasket } from '../../parts/basket.ts';
import { copyText } from '../../parts/copy.ts';
import { shownAddress } from '../../text/addressKeys.ts';
import { ACCOUNTS } from './accounts.ts';
import type { Fixed } from './CannotChange.tsx';
import { OWNED_SET, zoneSetOf } from './endSets.ts';
import type { ExploreActions } from './exploreActions.ts';
import type { ExploreState } from './exploreState.ts';
import { useZoneName } from './useZoneName.ts';

export interface MenuPlace {
  /** The object or relationship; absent for the background. */
  readonly id: string | undefined;
  readonly isNode: boolean;
  readonly x: number;
  readonly y: number;
}

interface ContextMenuProps {
  readonly place: MenuPlace;
  readonly graph: Graph;
  readonly actions: ExploreActions;
  readonly address: Address;
  readonly state: ExploreState;
  readonly isPinned: boolean;
  /** Actions of the background. */
  readonly ground: readonly (readonly [string, () => void])[];
  readonly onRelease: () => void;
  /** Pins an object in its place. */
  readonly onPin: () => void;
  /** Marks of the object that the user may change, such as owned. */
  readonly marks: readonly (readonly [string, () => void])[];
  /** Absent for users who may not set constraints. */
  readonly onCannotChange: ((fixed: Fixed) => void) | undefined;
  readonly onClose: () => void;
}

export function ContextMenu({
  place: { id, isNode, x, y },
  graph,
  actions,
  address,
  state: { mode, from, to, zone },
  isPinned,
  ground,
  onRelease,
  onPin,
  marks,
  onCannotChange,
  onClose,
}: ContextMenuProps) {
  const ends = [from, to];
  const zoneName = useZoneName(zone);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = menu.current!;
    element.style.left = `${Math.min(x, innerWidth - element.offsetWidth - 8)}px`;
    element.style.top = `${Math.min(y, innerHeight - element.offsetHeight - 8)}px`;
    element.querySelector('button')?.focus();
    const onPointerDown = (event: PointerEvent) => {
      if (!element.contains(event.target as Node)) onClose();
    };
    addEventListener('pointerdown', onPointerDown);
    return () => removeEventListener('pointerdown', onPointerDown);
  }, [x, y, onClose]);
  const kind = graph.nodes.get(id ?? '')?.kind ?? '';
  const path = { mode: 'path', selected: undefined, with: undefined, hide: undefined, unfold: undefined };
  const items: readonly (readonly [string, () => void])[] =
    id === undefined
      ? ground
      : !isNode
        ? edgeItems(id, graph, actions, onCannotChange)
        : isFolded(id)
          ? [['Show them one by one', () => actions.unfold(id)]]
          : [
              ['Details', () => actions.select(id)],
              ['Add relationships', () => actions.expand({ objectId: id, section: 'near', kind })],
              ['Collapse', () => actions.collapse(id)],
              ['Paths from here', () => address.set({ ...path, from: id })],
              ['Paths to here', () => address.set({ ...path, to: id })],
              ['Paths from owned to here', () => address.set({ ...path, from: OWNED_SET, to: id })],
              [
                `Paths from here to ${zoneName}`,
                () => address.set({ ...path, from: id, to: zoneSetOf(zone, zoneName) }),
              ],
              ...(mode === 'path' && !ends.includes(id)
                ? ([['Exclude from paths', () => actions.exclude(id)]] as const)
                : []),
              ...(isPinned ? ([['Put back', onRelease]] as const) : ([['Pin', onPin]] as const)),
              ['Hide', () => actions.hide(id)],
              ...(onCannotChange === undefined
                ? []
                : ([["We can't change this…", () => onCannotChange({ object: id })]] as const)),
              ...(ACCOUNTS.includes(kind)
                ? ([
                    [
                      'Disable in What if',
                      () => addToBasket({ disable: [id] }, { title: `Disable ${plainName(graph, id)}` }),
                    ],
                  ] as const)
                : []),
              ...marks,
              ['Copy name', () => void copyText(graph.nodes.get(id)?.name ?? id)],
              ['Copy id', () => void copyText(id)],
              [
                'Copy link',
                () => void copyText(new URL(`/ui${shownAddress(objectPath(id))}`, location.href).href),
              ],
            ];
  return (
    <div
      ref={menu}
      className="context"
      role="menu"
      tabIndex={-1}
      aria-label="Actions"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        event.preventDefault();
        const buttons = [...event.currentTarget.querySelectorAll('button')];
        const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
        buttons.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % buttons.length)?.focus();
      }}
    >
      {items.map(([title, act]) => (
        <button
          key={title}
          type="button"
          role="menuitem"
          onClick={() => {
            onClose();
            act();
          }}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

/** Actions for all relationships drawn as one line. */
function edgeItems(
  id: string,
  graph: Graph,
  actions: ExploreActions,
  onCannotChange: ContextMenuProps['onCannotChange'],
): readonly (readonly [string, () => void])[] {
  const first = graph.edges.find((edge) => edgeKey(edge) === id);
  const details = ['Details and evidence', () => actions.select(id)] as const;
  if (first === undefined) return [details];
  const { source, target } = first;
  const edges = graph.edges.filter((edge) => edge.source === source && edge.target === target);
  const kinds = edges.map(({ kind }) => kind);
  const request = { remove: kinds.map((kind) => ({ source_id: source, kind, target_id: target })) };
  const title = `Remove ${kinds.join(', ')} on ${plainName(graph, target)} from ${plainName(graph, source)}`;
  const category = [...TRAVERSABLE_KINDS].find(([, all]) => all.includes(first.kind))?.[0];
  return [
    details,
    ['Cut in What if', () => addToBasket(request, { title })],
    ...(category === undefined
      ? []
      : ([
          [`Leave out ${EDGE_CATEGORIES[category].toLowerCase()}`, () => actions.leaveOut(category)],
        ] as const)),
    ...(onCannotChange === undefined || first.isWay
      ? []
      : ([["We can't change this…", () => onCannotChange({ edges })]] as const)),
  ];
}
