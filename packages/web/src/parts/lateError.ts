/** Errors of changes whose dialog was closed before the service answered: a notice says them then. */
import { describeError } from '../service/queries.ts';
import { notify } from './notices.ts';
import { useIsShown } from './shown.ts';

/** @returns reports an error, unless the component is still there: it shows its errors itself */
export function useLateError(): (error: unknown) => void {
  const isShown = useIsShown();
  return (error) => {
    if (!isShown()) notify(describeError(error).text);
  };
}
