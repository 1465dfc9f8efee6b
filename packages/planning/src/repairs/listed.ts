/** Names in a sentence. */

/** Maximum number of names in a list; a longer list ends with a count. */
export const MAX_LISTED = 3;

export function listed(names: readonly string[]): string {
  if (names.length <= 1) return names[0] ?? 'it';
  if (names.length <= MAX_LISTED) return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `${names.slice(0, MAX_LISTED - 1).join(', ')} and ${names.length - MAX_LISTED + 1} more`;
}
