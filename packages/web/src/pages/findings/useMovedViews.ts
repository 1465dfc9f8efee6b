/** Gives the service the views that earlier versions kept at the browser. */
import { ApiError } from '@clew/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../service/client.ts';
import { forgetOldViews, oldViews } from './savedViews.ts';

/** A name that is taken there stays as it is there. */
async function moveOldViews(): Promise<void> {
  for (const { name, query } of oldViews())
    try {
      await call('CreateView', { body: { name: name.slice(0, 60), page: 'findings', query } });
    } catch (error) {
      if (!(error instanceof ApiError && [400, 409].includes(error.status))) throw error;
    }
  forgetOldViews();
}

export function useMovedViews(): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (oldViews().length === 0) return;
    // A failed move is tried again when the page is loaded again.
    moveOldViews().then(
      () => queries.invalidateQueries({ queryKey: ['ListViews'] }),
      () => undefined,
    );
  }, [queries]);
}
