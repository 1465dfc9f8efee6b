/** The head of a view of administration: its title, and the button that adds an item; the key `n` presses the button. */
import type { ViewPage } from '@clew/api';
import type { ReactNode } from 'react';
import { useKey } from '../../parts/keys.ts';
import { ViewMenu } from '../../parts/ViewMenu.tsx';

interface PartHeadProps {
  readonly title: string;
  /** The page of the saved views. */
  readonly views?: ViewPage;
  /** Label of the button, such as "New zone…"; absent if the user may not add items. */
  readonly words?: string;
  readonly onAdd?: () => void;
  readonly children?: ReactNode;
}

export function PartHead({ title, views, words, onAdd, children }: PartHeadProps) {
  useKey('n', words === undefined ? undefined : onAdd);
  return (
    <header className="part-head">
      <div>
        <h2>{title}</h2>
        {children}
      </div>
      <span className="chips">
        {views !== undefined && <ViewMenu page={views} />}
        {words !== undefined && (
          <button type="button" className="main" onClick={onAdd}>
            {words}
          </button>
        )}
      </span>
    </header>
  );
}
