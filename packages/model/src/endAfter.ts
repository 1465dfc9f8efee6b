/** The longest time that timers of the platform accept, 24 days; a longer one ends at once. */
const MAX_MS = 2 ** 31 - 1;

/**
 * A signal that aborts after a time limit. The platform rejects fractions of milliseconds, and ends limits above 31 bits at once.
 *
 * @param milliseconds from 0; limited to 24 days
 */
export const endAfter = (milliseconds: number): AbortSignal =>
  AbortSignal.timeout(Math.min(Math.max(0, Math.ceil(milliseconds)), MAX_MS));
