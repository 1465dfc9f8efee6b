import { expect, test } from 'vitest';
import { FIRST_STATE, type PageAction, pageReducer } from './explorePage.ts';

const after = (...actions: readonly PageAction[]) => actions.reduce(pageReducer, FIRST_STATE);
const menu = { id: 'A', isNode: true, x: 1, y: 2 };

test('a dialog, a choice and a pick close the menu', () => {
  const open: PageAction = { type: 'menu', place: menu };
  expect(after(open).menu).toEqual(menu);
  expect(after(open, { type: 'dialog', dialog: 'paste' })).toMatchObject({
    menu: undefined,
    dialog: 'paste',
  });
  expect(after(open, { type: 'mark', ids: [] }).menu).toBeUndefined();
  expect(after(open, { type: 'toggle', id: 'A', selected: undefined }).menu).toBeUndefined();
});

test('the selection counts as the first object that was chosen', () => {
  const both = after({ type: 'toggle', id: 'B', selected: 'A' });
  expect([...both.marked]).toEqual(['A', 'B']);
  expect([...pageReducer(both, { type: 'toggle', id: 'A', selected: 'A' }).marked]).toEqual(['B']);
});

test('a box adds to the choice, and a new choice replaces it', () => {
  const some = after({ type: 'mark', ids: ['A'] }, { type: 'markMore', ids: ['A', 'B'] });
  expect([...some.marked]).toEqual(['A', 'B']);
  expect([...pageReducer(some, { type: 'mark', ids: ['C'] }).marked]).toEqual(['C']);
});
