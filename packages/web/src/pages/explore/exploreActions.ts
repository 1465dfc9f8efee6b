/** Changes of the drawing. Each is a step of the address, so that going back undoes it. */
import { useRef } from 'react';
import type { Address } from '../../address.ts';
import { type Expansion, type ExploreState, expansionText } from './exploreState.ts';

export interface ExploreActions {
  expand(expansion: Expansion): void;
  /** Removes everything that was added from an object. */
  collapse(objectId: string): void;
  hide(objectId: string): void;
  unhide(): void;
  /** Paths go around the object. */
  exclude(objectId: string): void;
  unfold(id: string): void;
  fold(): void;
  select(id: string | undefined): void;
  /** @returns false when there is nothing to undo */
  undo(): boolean;
}

export function useExploreActions(address: Address, state: ExploreState): ExploreActions {
  const changes = useRef(0);
  const change: Address['set'] = (parameters) => {
    changes.current++;
    address.set(parameters);
  };
  const expansions = state.expansions.map(expansionText);
  return {
    expand: (expansion) => {
      const text = expansionText(expansion);
      if (!expansions.includes(text)) change({ with: [...expansions, text] });
    },
    collapse: (objectId) =>
      change({ with: state.expansions.filter((one) => one.objectId !== objectId).map(expansionText) }),
    hide: (objectId) => change({ hide: [...state.hidden, objectId], selected: undefined }),
    exclude: (objectId) =>
      change({
        around: [...state.excluded, objectId],
        ways: undefined,
        with: undefined,
        hide: undefined,
        selected: undefined,
      }),
    unhide: () => change({ hide: undefined }),
    unfold: (id) => change({ unfold: [...state.unfolded, id], selected: undefined }),
    fold: () => change({ unfold: undefined }),
    select: (id) => address.set({ selected: id }, { replace: true }),
    undo: () => {
      if (changes.current === 0) return false;
      changes.current--;
      history.back();
      return true;
    },
  };
}
