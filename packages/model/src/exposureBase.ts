/** Id of the group of findings that belong to no zone. */
const NO_ZONE = 0;

/**
 * The base of a finding's exposure, after the count of its users and computers: those outside the zone, or all in findings of no zone. Rule:
 * `docs/findings.md#exposure-and-impact`.
 * @param zone number of the zone, 0 for findings of no zone @returns a text with a space before it, or nothing
 */
export const exposureBase = (zone: number): string => (zone === NO_ZONE ? '' : ' outside the zone');
