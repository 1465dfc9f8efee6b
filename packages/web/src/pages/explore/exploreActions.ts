/** Changes of the drawing. Each change is a history entry, so that Back undoes it. */
import { useState } from 'react';
import type { Address } from '../../address.ts';
import { EDGE_CATEGORIES, type EdgeCategory } from '../../edges/edgeKinds.ts';
import { counted } from '../../text/formats.ts';
import { type Expansion, type ExploreState, expansionText } from './exploreState.ts';

export interface ExploreActions {
  expand(expansion: Expansion): void;
  /** Removes all objects that were added from an object. */
  collapse(objectId: string): void;
  /** @param name the name, if known before the drawing */
  hide(objectId: string, name?: string): void;
  unhide(): void;
  /** Makes paths avoid the object. */
  exclude(objectId: string): void;
  unfold(id: string): void;
  fold(): void;
  select(id: string | undefined): void;
  hideAll(objectIds: readonly string[]): void;
  /** Excludes the relationships of a category. */
  leaveOut(category: EdgeCategory): void;
  /** Changes that can be undone, in words, newest last. */
  readonly done: readonly string[];
  /** Changes that can be redone, the next one last. */
  readonly undone: readonly string[];
  /** @returns false if there is nothing to undo */
  undo(): boolean;
  /** @returns false if there is nothing to redo */
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
      change(`Hide ${counted(objectIds.length, 'object')}`, {
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
