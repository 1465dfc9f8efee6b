/** The exposure of environments in a difference, without those of unknown exposure. */
import type { DifferenceRecord } from '@clew/api';

type Exposure = DifferenceRecord['exposure'];

/** An environment that was not collected has no exposure, not even 0%. */
export function knownExposure(
  exposure: Exposure,
  environments: readonly { readonly id: string; readonly collected: boolean }[],
): { readonly known: Exposure; readonly unread: Exposure } {
  const notCollected = new Set(environments.filter(({ collected }) => !collected).map(({ id }) => id));
  const isUnread = ({ environment_id, before, after }: Exposure[number]): boolean =>
    notCollected.has(environment_id) && (before ?? 0) === 0 && (after ?? 0) === 0;
  return {
    known: exposure.filter((one) => !isUnread(one)),
    unread: exposure.filter(isUnread),
  };
}
