/**
 * A native dialog of the browser: it traps the focus, and Escape closes it. It is a child of the body, so it looks the same from
 * any opener.
 */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { describeError } from '../service/queries.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

/** Focuses a field first, else the button that changes nothing, else any button. */
const FIRST = ['.body :is(input:not([type="hidden"]), textarea, select)', '.body .cancel', '.body button'];

function focusFirst(dialog: HTMLElement | null): void {
  const found = FIRST.map((selector) => dialog?.querySelector<HTMLElement>(`${selector}:enabled`));
  found.find((one) => one instanceof HTMLElement)?.focus();
}

export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    focusFirst(element.current);
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  useEffect(() => {
    // The focused element was removed: the dialog has new content.
    if (document.activeElement === document.body) focusFirst(element.current);
  });
  return createPortal(
    <dialog
      ref={element}
      className={wide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="plain" aria-label="Close" onClick={onClose}>
          <span aria-hidden="true">✕</span>
        </button>
      </header>
      <div className="body">{children}</div>
    </dialog>,
    document.body,
  );
}

interface DialogActionsProps {
  /** Label of the button that acts. */
  readonly words: string;
  /** Label while the action is running. */
  readonly pendingWords?: string;
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  readonly isDanger?: boolean;
  /** Why the action failed; null if it did not. */
  readonly error?: unknown;
  /** Absent in a form, which the button submits. */
  readonly onAct?: () => void;
  readonly onCancel?: () => void;
  readonly children?: ReactNode;
}

/** The foot of each dialog: the error, the button that acts, and Cancel. */
export function DialogActions(props: DialogActionsProps) {
  const {
    words,
    pendingWords,
    isPending = false,
    isDisabled = false,
    isDanger = false,
    error = null,
  } = props;
  return (
    <>
      {error !== null && (
        <p className="failure" role="alert">
          {describeError(error).text}
        </p>
      )}
      <footer className="bar">
        <button
          type={props.onAct === undefined ? 'submit' : 'button'}
          className={isDanger ? 'danger' : 'main'}
          disabled={isPending || isDisabled}
          onClick={props.onAct}
        >
          {isPending ? (pendingWords ?? words) : words}
        </button>
        {props.onCancel !== undefined && (
          <button type="button" className="cancel" onClick={props.onCancel}>
            Cancel
          </button>
        )}
        {props.children}
      </footer>
    </>
  );
}
