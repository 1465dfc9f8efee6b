/** Changes of the drawing. Each is a history entry, so that Back undoes it. */
import { useState } from 'react';
import type { Address } from '../../address.ts';
import { EDGE_CATEGORIES, type EdgeCategory } from '../../edges/edgeKinds.ts';
import { type Expansion, type ExploreState, expansionText } from './exploreState.ts';

export interface ExploreActions {
  expand(expansion: Expansion): void;
  /** Removes everything that was added from an object. */
  collapse(objectId: string): void;
  /** @param name if known before the drawing */
  hide(objectId: string, name?: string): void;
  unhide(): void;
  /** Paths go around the object. */
  exclude(objectId: string): void;
  unfold(id: string): void;
  fold(): void;
  select(id: string | undefined): void;
  hideAll(objectIds: readonly string[]): void;
  /** Relationships of a category are left out. */
  leaveOut(category: EdgeCategory): void;
  /** The changes that can be undone, in words, the newest last. */
  readonly done: readonly string[];
  /** The changes that can be made again, the next one last. */
  readonly undone: readonly string[];
  /** @returns false when there is nothing to undo */
  undo(): boolean;
  /** @returns false when nothing was undone */
  redo(): boolean;
}

export function useExploreActions(
  address: Address,
  state: ExploreState,
  nameOf: (id: string) => string,
): ExploreActions {
  const [{ done, undone }, setSteps] = useState<Steps>(NO_STEPS);
  const change = (words: string, parameters: Parameters<Address['set']>[0]): void => {
    setSteps({ done: [...done, words], undone: [] });
    address.set(parameters);
  };
  const expansions = state.expansions.map(expansionText);
  return {
    expand: (expansion) => {
      const text = expansionText(expansion);
      if (!expansions.includes(text))
        change(`Add relationships of ${nameOf(expansion.objectId)}`, { with: [...expansions, text] });
    },
    collapse: (objectId) =>
      change(`Collapse ${nameOf(objectId)}`, {
        with: state.expansions.filter((one) => one.objectId !== objectId).map(expansionText),
      }),
    hide: (objectId, name = nameOf(objectId)) =>
      change(`Hide ${name}`, { hide: [...state.hidden, objectId], selected: undefined }),
    hideAll: (objectIds) =>
      change(`Hide ${objectIds.length} objects`, {
        hide: [...state.hidden, ...objectIds],
        selected: undefined,
      }),
    leaveOut: (category) =>
      change(`Leave out ${EDGE_CATEGORIES[category].toLowerCase()}`, {
        without: [...state.without, category],
        selected: undefined,
      }),
    exclude: (objectId) =>
      change(`Exclude ${nameOf(objectId)} from paths`, {
        around: [...state.excluded, objectId],
        ways: undefined,
        with: undefined,
        hide: undefined,
        selected: undefined,
      }),
    unhide: () => change('Show hidden objects', { hide: undefined }),
    unfold: (id) =>
      change('Show objects one by one', { unfold: [...state.unfolded, id], selected: undefined }),
    fold: () => change('Fold again', { unfold: undefined }),
    select: (id) => address.set({ selected: id }, { replace: true }),
    done,
    undone,
    undo: () => {
      const last = done.at(-1);
      if (last === undefined) return false;
      setSteps({ done: done.slice(0, -1), undone: [...undone, last] });
      history.back();
      return true;
    },
    redo: () => {
      const next = undone.at(-1);
      if (next === undefined) return false;
      setSteps({ done: [...done, next], undone: undone.slice(0, -1) });
      history.forward();
      return true;
    },
  };
}

interface Steps {
  readonly done: readonly string[];
  readonly undone: readonly string[];
}

const NO_STEPS: Steps = { done: [], undone: [] };
