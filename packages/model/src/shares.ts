/** Formats shares, by one rule for pages, commands, and texts of the service. */

/** @param share 0..1 @returns percent with one decimal; `0%` and `100%` mean exactly none and all */
export function formatShare(share: number): string {
  if (share <= 0) return '0%';
  if (share >= 1) return '100%';
  return `${Math.min(99.9, Math.max(0.1, Math.round(share * 1000) / 10)).toFixed(1)}%`;
}

/** @returns `part` of `whole`, or `0%` if `whole` is 0 */
export const shareOf = (part: number, whole: number): string => formatShare(whole === 0 ? 0 : part / whole);
