/** The keyboard shortcuts of all pages. */
import { useState } from 'react';
import { PAGES } from '../pageRows.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { hasSingleKeys, setSingleKeys } from '../parts/keys.ts';

const LETTERS = PAGES.filter(({ letter }) => letter !== undefined);

const KEYS = [
  ['Ctrl K or /', 'Search objects and pages'],
  [`Alt 1 … Alt ${Math.min(9, PAGES.length)}`, 'Pages, in their order'],
  [`g and ${LETTERS.map(({ letter }) => letter).join(', ')}`, LETTERS.map(({ title }) => title).join(', ')],
  ['m', 'Mask or show names'],
  ['?', 'Keyboard shortcuts'],
  ['j, k', 'In Fix first and Findings: the next card or row, the previous one'],
  ['Space, v', 'In Findings: show or hide the preview of the finding; move into it'],
  ['x, a, o', 'In Findings: select the row, accept or assign the selection'],
  ['j, k, e, u', 'In What changed: select the next row, the previous one, mark it as done, undo'],
  ['a, o', 'In What changed: accept or assign the finding of the selected row'],
  ['@', 'In a note or a reason: mention a user'],
  ['[, ], p', 'In a finding: the previous one in the list, the next one, the next attack path'],
  ['w, c', 'In Fix first: add the card to What if, mark it as impossible to change'],
  ['n, p', 'In Explore: the next path, the previous one'],
  ['Arrows, +, −, 0', 'In a drawing: move, zoom, show all of it'],
  ['Shift arrows, u', 'In Explore: move the selected object, put it back'],
  ['Ctrl Z, Ctrl Shift Z', 'In Explore: undo or redo the last change of the drawing'],
  ['Ctrl F', 'In Explore: find in the drawing'],
  ['Shift click, Shift drag', 'In Explore: select several objects'],
  ['Shift Enter', 'In a query: run it'],
  ['n', 'In Administration: a new user, zone or webhook'],
  ['u', 'In Data: upload collections'],
  ['r', 'In Data: retry the open failed upload'],
  ['Escape', 'Close a panel or a dialog'],
] as const;

export function Keys({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(hasSingleKeys);
  const choose = (next: boolean) => {
    setSingleKeys(next);
    setOn(next);
  };
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {/* Precedes the list: it has the focus, and screen readers then read the list from its start. */}
      <label>
        <input type="checkbox" checked={on} onChange={({ target }) => choose(target.checked)} /> Use
        single-letter keys
      </label>
      <dl className="keys">
        {KEYS.map(([keys, effect]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
