/** The exposure of environments in a difference, excluding environments without a known exposure. */
import type { DifferenceRecord, PostureSummary } from '@clew/api';
import { hasPrincipals } from './drawnEnvironments.ts';

type Exposure = DifferenceRecord['exposure'];

type Environment = PostureSummary['environments'][number];

/** An environment that was not collected, or has no principals, has no exposure, not even 0%. */
export function knownExposure(
  exposure: Exposure,
  environments: readonly Pick<Environment, 'environment_id' | 'collected' | 'principals'>[],
): { readonly known: Exposure; readonly unread: Exposure } {
  const byId = new Map(environments.map((one) => [one.environment_id, one]));
  const isNone = ({ before, after }: Exposure[number]): boolean => (before ?? 0) === 0 && (after ?? 0) === 0;
  const isUnread = (one: Exposure[number]): boolean =>
    isNone(one) && byId.get(one.environment_id)?.collected === false;
  const isEmpty = (one: Exposure[number]): boolean => {
    const found = byId.get(one.environment_id);
    return isNone(one) && found !== undefined && !hasPrincipals(found);
  };
  return {
    known: exposure.filter((one) => !isUnread(one) && !isEmpty(one)),
    unread: exposure.filter(isUnread),
  };
}
