/**
 * Asks for confirmation before a deletion or removal: lists its effects, and has a button to confirm and one to
 * cancel.
 */
import type { OperationId } from '@clew/api';
import type { ReactNode } from 'react';
import { Dialog, DialogActions } from './Dialog.tsx';
import { notify } from './notices.ts';
import { useDialogChange } from './useDialogChange.ts';

interface ConfirmDialogProps {
  readonly title: string;
  /** Label of the confirming button, such as "Delete check". */
  readonly words: string;
  readonly act: () => Promise<unknown>;
  /** Operations whose answers change; default: all. */
  readonly touched?: readonly OperationId[];
  /** Text of the notice when it is done. */
  readonly notice?: string;
  /** Called when it is done, unless the user has closed the dialog before. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, words, act, touched, notice, onDone, onClose, children } = props;
  const change = useDialogChange(act, {
    touched,
    onSuccess: () => {
      if (notice !== undefined) notify(notice);
    },
    onDone: () => {
      onDone?.();
      onClose();
    },
  });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <DialogActions
        words={words}
        isDanger
        isPending={change.isPending}
        error={change.error}
        onAct={() => change.mutate()}
        onCancel={onClose}
      />
    </Dialog>
  );
}
