/** Whether the window is as narrow as a phone, so that tables become cards. */
import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 40rem)';

export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      const query = matchMedia(NARROW);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(NARROW).matches,
  );
