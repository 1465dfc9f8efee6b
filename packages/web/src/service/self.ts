/** The signed-in user and its permissions; the interface hides controls without permission. */
import type { User } from '@clew/api';
import { useMemo } from 'react';
import { useAnswer } from './queries.ts';

export interface Self {
  readonly user: User;
  may(permission: string): boolean;
}

/** Collectors do not use the interface, so an answer about one is ignored. */
export function useSelf(): Self | undefined {
  const record = useAnswer('GetSelf').data?.data;
  return useMemo(
    () => (record === undefined || !('roles' in record) ? undefined : selfOf(record as User)),
    [record],
  );
}

function selfOf(user: User): Self {
  const permissions = new Set(
    user.roles.flatMap((role) => role.permissions.map(({ authority, name }) => `${authority}/${name}`)),
  );
  return { user, may: (permission) => permissions.has(permission) };
}

/** @returns whether the signed-in user has the permission; false until known */
export const useMay = (permission: string): boolean => useSelf()?.may(permission) ?? false;

/** Names of the user's roles for a sentence: "Your role (Read-Only)". */
export function yourRole(self: Self | undefined): string {
  const names = self?.user.roles.map(({ name }) => name) ?? [];
  if (names.length === 0) return 'Your role';
  return `Your ${names.length === 1 ? 'role' : 'roles'} (${names.join(', ')})`;
}
