/** The head of a part of administration: its title, and the button that adds one; the key `n` presses it. */
import type { ReactNode } from 'react';
import { useKey } from '../../parts/keys.ts';

interface PartHeadProps {
  readonly title: string;
  /** Label of the button, such as "New zone…"; nothing where the user may add none. */
  readonly words?: string;
  readonly onAdd?: () => void;
  readonly children?: ReactNode;
}

export function PartHead({ title, words, onAdd, children }: PartHeadProps) {
  useKey('n', words === undefined ? undefined : onAdd);
  return (
    <header className="part-head">
      <div>
        <h2>{title}</h2>
        {children}
      </div>
      {words !== undefined && (
        <button type="button" className="main" onClick={onAdd}>
          {words}
        </button>
      )}
    </header>
  );
}
