/** The state of Explore that is not in its address: an open menu or dialog, search hits, and objects that are selected together. */
import type { Fixed } from './CannotChange.tsx';
import type { MenuPlace } from './ContextMenu.tsx';

/** Hits of a search in the drawing, and the hit in view. */
interface Found {
  readonly hits: ReadonlySet<string>;
  readonly at: string | undefined;
}

export type OpenDialog = 'paste' | 'save' | { readonly fixed: Fixed };

export interface PageState {
  readonly menu: MenuPlace | undefined;
  readonly dialog: OpenDialog | undefined;
  readonly found: Found;
  /** Objects selected in addition to the main selection. */
  readonly marked: ReadonlySet<string>;
}

export type PageAction =
  | { readonly type: 'menu'; readonly place: MenuPlace | undefined }
  | { readonly type: 'dialog'; readonly dialog: OpenDialog | undefined }
  | { readonly type: 'found'; readonly found: Found }
  /** Objects replace the previous additional selection. */
  | { readonly type: 'mark'; readonly ids: readonly string[] }
  /** Objects are added to the additional selection. */
  | { readonly type: 'markMore'; readonly ids: readonly string[] }
  /** One object is added to or removed from the additional selection; the main selection counts as its first object. */
  | { readonly type: 'toggle'; readonly id: string; readonly selected: string | undefined };

const NONE: ReadonlySet<string> = new Set();

export const FIRST_STATE: PageState = {
  menu: undefined,
  dialog: undefined,
  found: { hits: NONE, at: undefined },
  marked: NONE,
};

export function pageReducer(state: PageState, action: PageAction): PageState {
  switch (action.type) {
    case 'menu':
      return { ...state, menu: action.place };
    case 'dialog':
      return { ...state, dialog: action.dialog, menu: undefined };
    case 'found':
      return { ...state, found: action.found };
    case 'mark':
      return { ...state, marked: new Set(action.ids), menu: undefined };
    case 'markMore':
      return { ...state, marked: new Set([...state.marked, ...action.ids]) };
    case 'toggle': {
      const { id, selected } = action;
      const marked = new Set(state.marked.size === 0 && selected !== undefined ? [selected] : state.marked);
      if (!marked.delete(id)) marked.add(id);
      return { ...state, marked, menu: undefined };
    }
  }
}
