/** Names in a sentence. */

/** Maximum number of names in a list; a longer list ends with a count. */
export const MAX_LISTED = 3;

/** @param max number of names; of a longer list, the last place has the number of the others */
export function listed(names: readonly string[], max = MAX_LISTED): string {
  if (names.length <= 1) return names[0] ?? 'it';
  if (names.length <= max) return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `${names.slice(0, max - 1).join(', ')} and ${names.length - max + 1} more`;
}
