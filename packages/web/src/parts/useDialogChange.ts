/** A change made by a part of a page, such as a dialog, that may be closed before the service answers. */
import { useEffect, useRef } from 'react';
import { type ChangeOptions, describeError, useChange } from '../service/queries.ts';
import { notify } from './notices.ts';

interface DialogChangeOptions<Input, Result> extends Omit<ChangeOptions<Input, Result>, 'onError'> {
  /** Called after `onSuccess` while the part is shown. */
  readonly onDone?: ((result: Result) => void) | undefined;
  /** Called after `onSuccess` if the part was closed before the answer. */
  readonly onLate?: ((result: Result) => void) | undefined;
}

/** The part shows the error of its change. If it was closed before, a notice shows the error. */
export function useDialogChange<Input, Result>(
  change: (input: Input) => Promise<Result>,
  { onSuccess, onDone, onLate, ...options }: DialogChangeOptions<Input, Result> = {},
) {
  const isShown = useIsShown();
  return useChange(change, {
    ...options,
    onSuccess: (result, input) => {
      onSuccess?.(result, input);
      if (isShown()) onDone?.(result);
      else onLate?.(result);
    },
    onError: (error) => {
      if (!isShown()) notify(describeError(error).text);
    },
  });
}

function useIsShown(): () => boolean {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => isShown.current;
}
