/** A dialog with a form: its fields as data, its request, and its action on success. All form dialogs use it. */
import type { OperationId } from '@clew/api';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog, DialogActions } from './Dialog.tsx';
import { type Field, FormField } from './FormField.tsx';
import { FormValues } from './formValues.ts';
import { NOTHING_TYPED, shownFields, type Typed, typedInto, withTyped } from './typedFields.ts';
import { useDialogChange } from './useDialogChange.ts';

interface FormDialogProps<Result> {
  readonly title: string;
  readonly wide?: boolean;
  readonly fields: readonly Field[];
  /** Label of the button that sends the form. */
  readonly words: string | ((values: FormValues) => string);
  /** Label while the request is running. */
  readonly pendingWords?: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean | ((values: FormValues) => boolean);
  readonly send: (values: FormValues) => Promise<Result>;
  /** Operations whose answers change; default: all. */
  readonly touched?: readonly OperationId[];
  /** Called when it is sent, also if the user has closed the dialog before: for notices. */
  readonly onSent?: (result: Result) => void;
  /** Called after it while the dialog is shown; default: closes the dialog. */
  readonly onDone?: (result: Result) => void;
  /** Called after it if the user has closed the dialog before. */
  readonly onLate?: (result: Result) => void;
  readonly onInput?: (values: FormValues) => void;
  /** Why another action of the dialog failed; null if none did. */
  readonly error?: unknown;
  readonly onClose: () => void;
  /** Additional buttons at the foot. */
  readonly children?: ReactNode;
}

export function FormDialog<Result>(props: FormDialogProps<Result>) {
  const { title, wide, fields, words, pendingWords, isDanger, isDisabled, touched, onSent, onClose } = props;
  const change = useDialogChange(props.send, {
    touched,
    onSuccess: onSent,
    onDone: props.onDone ?? onClose,
    onLate: props.onLate,
  });
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const { shown, values } = shownFields(fields, typed);
  const onInput = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const next = new FormData(currentTarget);
    setTyped((before) => typedInto(before, shown, next));
    props.onInput?.(new FormValues(next));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate(new FormValues(new FormData(event.currentTarget)));
  };
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <form onSubmit={submit} onInput={onInput} aria-busy={change.isPending}>
        {shown.map((field) => (
          <ShownField key={field.name} field={field} values={values} typed={typed} />
        ))}
        <DialogActions
          words={typeof words === 'string' ? words : words(values)}
          pendingWords={pendingWords}
          isPending={change.isPending}
          isDisabled={typeof isDisabled === 'function' ? isDisabled(values) : isDisabled}
          isDanger={isDanger}
          error={change.error ?? props.error}
          onCancel={onClose}
        >
          {props.children}
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface ShownFieldProps {
  readonly field: Field;
  readonly values: FormValues;
  readonly typed: Typed;
}

/** A field that sets its value once when it is shown; the browser keeps the value from then on. */
function ShownField({ field, values, typed }: ShownFieldProps) {
  const [before] = useState(typed);
  return <FormField field={withTyped(field, before)} values={values} />;
}
