/** A button that opens a list of actions or choices below it. */
import { type ReactNode, useEffect, useRef } from 'react';

/** Margin between the list and the edge of the window. */
const EDGE = 8;

/** Moves a list that crosses a side of the window back into it. */
function keepInside(items: HTMLElement): void {
  items.style.translate = '';
  const { left, right } = items.getBoundingClientRect();
  const shift = left < EDGE ? EDGE - left : Math.min(0, innerWidth - EDGE - right);
  items.style.translate = `${shift}px`;
}

interface MenuProps {
  readonly title: string;
  /** Shown instead of the title, which remains the accessible name. */
  readonly icon?: ReactNode;
  /** Whether it closes when one of its buttons is pressed. */
  readonly isOfActions?: boolean;
  readonly children: ReactNode;
}

/** Closes on a click or focus elsewhere. */
export function Menu({ title, icon, isOfActions = false, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      if (menu.current !== null && !menu.current.contains(event.target as Node)) menu.current.open = false;
    };
    addEventListener('pointerdown', close);
    addEventListener('focusin', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('focusin', close);
    };
  }, []);
  const shut = () => {
    if (menu.current !== null) menu.current.open = false;
  };
  return (
    <details
      ref={menu}
      className="menu list-menu"
      onToggle={({ currentTarget }) => {
        const items = currentTarget.querySelector<HTMLElement>(':scope > .menu-items');
        if (currentTarget.open && items !== null) keepInside(items);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || menu.current?.open !== true) return;
        event.stopPropagation();
        shut();
        menu.current.querySelector('summary')?.focus();
      }}
    >
      <summary className="button" title={icon === undefined ? undefined : title}>
        {icon === undefined ? (
          title
        ) : (
          <>
            {icon}
            <span className="unseen">{title}</span>
          </>
        )}
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it receives clicks on its buttons */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons handle keys */}
      <div
        className="menu-items"
        onClick={({ target }) => {
          if (isOfActions && target instanceof Element && target.closest('button, a') !== null) shut();
        }}
      >
        {children}
      </div>
    </details>
  );
}
