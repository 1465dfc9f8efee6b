/** The head of a part of administration: its title, and the button that adds one; the key `n` presses it. */
import { type ReactNode, useEffect } from 'react';
import { isTyping } from '../../parts/keys.ts';

interface PartHeadProps {
  readonly title: string;
  /** Label of the button, such as "New zone…"; nothing where the user may add none. */
  readonly words?: string;
  readonly onAdd?: () => void;
  readonly children?: ReactNode;
}

export function PartHead({ title, words, onAdd, children }: PartHeadProps) {
  useEffect(() => {
    if (words === undefined || onAdd === undefined) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'n' || isTyping(event)) return;
      event.preventDefault();
      onAdd();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [words, onAdd]);
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
