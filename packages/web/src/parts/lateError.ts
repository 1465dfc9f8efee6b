/** Errors of changes whose dialog was closed before the service answered: a notice says them then. */
import { describeError } from '../service/queries.ts';
import { notify } from './notices.ts';
import { useIsShown } from './shown.ts';

/**
 * @returns a function that reports an error if the component has been removed; otherwise the component shows its errors itself
 */
export function useLateError(): (error: unknown) => void {
  const isShown = useIsShown();
  return (error) => {
    if (!isShown()) notify(describeError(error).text);
  };
}
