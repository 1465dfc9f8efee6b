/** Errors of changes whose dialog was closed before the service answered: a notice says them then. */
import { useEffect, useRef } from 'react';
import { describeError } from '../service/queries.ts';
import { notify } from './notices.ts';

/** @returns reports an error, unless the component is still there: it shows its errors itself */
export function useLateError(): (error: unknown) => void {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return (error) => {
    if (!isShown.current) notify(describeError(error).text);
  };
}
