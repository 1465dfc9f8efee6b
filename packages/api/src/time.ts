/** Times in answers: UTC, `YYYY-MM-DDTHH:MM:SS.ffffffZ`, exactly six digits (`docs/reference/api.md#json`). */

/** @param time milliseconds since the epoch, or a date */
export function formatTime(time: number | Date): string {
  const text = new Date(time).toISOString();
  return `${text.slice(0, -1)}000Z`;
}
