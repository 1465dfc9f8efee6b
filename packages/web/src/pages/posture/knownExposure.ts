/** What a difference says of the exposure of environments, apart from those of which nothing is known. */
import type { DifferenceRecord } from '@clew/api';

type Exposure = DifferenceRecord['exposure'];

/** Of an environment that was not collected there is no exposure, and no 0%. */
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
