/** `2026-06-01 05:00 UTC`. @param time as in answers of the service: ISO 8601 in UTC */
export const minuteText = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;
