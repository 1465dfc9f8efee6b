/** Decides whether a principal may call an operation. The contract declares the permissions that it requires. */
import { type Edition, isReading, type RouteContract } from '@clew/api';
import { type ApiError, apiError, type Principal } from '@clew/common';

/** @returns the refusal, in the order of `docs/reference/api.md#order-of-checks`: 401, 403, 404 */
export function accessRefusal(
  contract: RouteContract,
  principal: Principal,
  edition: Edition,
): ApiError | undefined {
  const { access, editions } = contract;
  if (principal.kind === 'user' && principal.viewedBy !== undefined && !isReading(contract))
    return apiError('viewAsReadOnly');
  if (access !== 'none' && principal.kind === 'anonymous') return apiError('notAuthenticated');
  if (typeof access !== 'string' && !access.some((permission) => principal.permissions.has(permission)))
    return apiError('notAuthorized');
  if (editions !== undefined && !editions.includes(edition)) return apiError('resourceNotFound');
  return undefined;
}
