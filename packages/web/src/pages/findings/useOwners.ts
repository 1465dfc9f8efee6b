/** Users to whom findings can be assigned; empty for users who may not see others. */
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import type { Owner } from './filterChips.ts';

export function useOwners(): readonly Owner[] {
  const maySee = useSelf()?.may('auth/ReadUsersMinimal') ?? false;
  return useAnswer('ListAssignableUsers', {}, { enabled: maySee }).data?.data ?? [];
}
