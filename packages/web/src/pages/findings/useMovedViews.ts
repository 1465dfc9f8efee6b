/** Moves views that earlier versions stored in the browser to the service. */
import { ApiError } from '@clew/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../service/client.ts';
import { forgetOldViews, oldViews } from './savedViews.ts';

/** An existing view of the same name stays unchanged. */
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
    // A failed move is retried on the next page load.
    moveOldViews().then(
      () => queries.invalidateQueries({ queryKey: ['ListViews'] }),
      () => undefined,
    );
  }, [queries]);
}
