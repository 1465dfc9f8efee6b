/** Whether a component is still shown when an answer arrives. */
import { useEffect, useRef } from 'react';

export function useIsShown(): () => boolean {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => isShown.current;
}
