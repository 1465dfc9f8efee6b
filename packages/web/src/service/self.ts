/** The signed-in user and its permissions: controls that would be refused are not shown. */
import type { User } from '@clew/api';
import { useAnswer } from './queries.ts';

export interface Self {
  readonly user: User;
  may(permission: string): boolean;
}

/** Collectors have no interface; an answer about one is ignored here. */
export function useSelf(): Self | undefined {
  const { data } = useAnswer('GetSelf');
  const record = data?.data;
  if (record === undefined || !('roles' in record)) return undefined;
  const user = record as User;
  const permissions = new Set(
    user.roles.flatMap((role) => role.permissions.map(({ authority, name }) => `${authority}/${name}`)),
  );
  return { user, may: (permission) => permissions.has(permission) };
}
