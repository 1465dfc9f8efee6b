import type { ChangeKitRecord, RepairReference } from '@clew/api';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call } from '../service/client.ts';
import { noKitReason } from './changeKits.ts';

export type KitChange = ChangeKitRecord['changes'][number];

/** @returns the changes of the kit of these repairs; not requested if they have no kit, or if it is not wanted */
export const useKitChanges = (
  repairs: readonly RepairReference[],
  isWanted = true,
): UseQueryResult<readonly KitChange[]> =>
  useQuery({
    queryKey: ['GetChangeKit', repairs],
    enabled: isWanted && noKitReason(repairs) === undefined,
    queryFn: async ({ signal }) =>
      (await call('GetChangeKit', { body: { repairs: [...repairs] } }, { signal })).data.changes,
  });
