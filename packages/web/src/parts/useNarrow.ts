/** Widths of the window at which the layout of pages changes. */
import { useSyncExternalStore } from 'react';

const useMedia = (words: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      const query = matchMedia(words);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(words).matches,
  );

/** Whether the window is as narrow as a phone, so that tables become cards. */
export const useNarrow = (): boolean => useMedia('(max-width: 40rem)');

/** Whether the parts of Explore are stacked; uses the same width as `explore.css`. */
export const useStacked = (): boolean => useMedia('(max-width: 60rem)');
