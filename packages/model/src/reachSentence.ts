/** The number of users and computers that can reach a zone, for users who may not see all figures. */
import { principalsText } from './counted.ts';

/** Maximum number of named environments. */
const MAX_NAMES = 3;

/**
 * "619 users and computers can reach the zone." A count that is left out is never a count of nothing.
 * @param notShown names of environments whose figures are left out, ready to be shown
 */
export function reachSentence(exposed: number, notShown: readonly string[]): string {
  if (notShown.length === 0) return `${principalsText(exposed)} can reach the zone.`;
  const more = notShown.length - MAX_NAMES;
  const names = `${notShown.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const counted =
    exposed === 0 ? '' : `${principalsText(exposed)} of other environments can reach the zone. `;
  return `${counted}Not shown: how many of ${names} can reach the zone, because this covers environments outside your access.`;
}
