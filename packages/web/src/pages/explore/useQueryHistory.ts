/** The query history of this browser: stored per user while the tab is open, like drafts. */
import { useState } from 'react';
import { QUERIES } from '../../service/keptKeys.ts';
import { useSelf } from '../../service/self.ts';
import { readHistory, withQuery } from './queryHistory.ts';

/** @returns the queries, and a function that adds one */
export function useQueryHistory(): readonly [history: readonly string[], note: (query: string) => void] {
  const user = useSelf()?.user.id;
  const key = user === undefined ? undefined : `${QUERIES} ${user}`;
  const read = (): readonly string[] => {
    try {
      return key === undefined ? [] : readHistory(sessionStorage.getItem(key));
    } catch {
      return [];
    }
  };
  const [, setTurn] = useState(0);
  const note = (query: string): void => {
    try {
      if (key !== undefined) sessionStorage.setItem(key, JSON.stringify(withQuery(read(), query)));
    } catch {
      // The value is lost on reload.
    }
    setTurn((turn) => turn + 1);
  };
  return [read(), note];
}
