/** The saved views of findings that the service has, with those that the browser kept before. */
import type { ViewRecord } from '@clew/api';
import { ApiError } from '@clew/client';
import { useEffect, useState } from 'react';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { forgetOldViews, oldViews } from './savedViews.ts';

/** Gives the service what the browser kept, once. A name that is taken there stays as it is there. */
async function moveOldViews(): Promise<void> {
  const views = oldViews();
  for (const { name, query } of views)
    try {
      await call('CreateView', { body: { name: name.slice(0, 60), page: 'findings', query } });
    } catch (error) {
      if (!(error instanceof ApiError && [400, 409].includes(error.status))) throw error;
    }
  forgetOldViews();
}

/** Views of the service, with those that the browser kept before. */
export function useViews(): readonly ViewRecord[] {
  const views = useAnswer('ListViews');
  const { refetch } = views;
  const [isMoved, setMoved] = useState(() => oldViews().length === 0);
  useEffect(() => {
    if (isMoved) return;
    setMoved(true);
    // A failed move is tried again when the page is loaded again.
    moveOldViews().then(
      () => refetch(),
      () => undefined,
    );
  }, [isMoved, refetch]);
  return views.data?.data.filter(({ page }) => page === 'findings') ?? [];
}
