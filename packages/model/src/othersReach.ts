import { counted, numberText } from './counted.ts';

interface OtherReach {
  readonly others: readonly { readonly environment_name: string; readonly reaching_count: number }[] | null;
  readonly others_not_shown: string | null;
}

/** Environments that a sentence names; the others are a count. */
const MAX_NAMED = 3;

/**
 * Says who else can reach an object: users and computers of other forests, tenants and platforms. Without this sentence, a count of those
 * of one forest or tenant would look like a count of everyone.
 *
 * @param shown makes a name safe for the medium
 * @returns an empty text where there are no counts
 */
export function othersReachText(
  { others, others_not_shown: notShown }: OtherReach,
  shown: (name: string) => string,
): string {
  if (others === null) return '';
  if (others.length === 0 && notShown !== null) return `${notShown}.`;
  const most = others.toSorted((a, b) => b.reaching_count - a.reaching_count);
  const named = most
    .slice(0, MAX_NAMED)
    .map((one) => `${numberText(one.reaching_count)} of ${shown(one.environment_name)}`);
  const rest = most.slice(MAX_NAMED);
  if (rest.length > 0) {
    const sum = rest.reduce((all, one) => all + one.reaching_count, 0);
    named.push(`${numberText(sum)} of ${counted(rest.length, 'other environment')}`);
  }
  const who =
    named.length === 0
      ? 'No user or computer of another forest, tenant or platform can reach it.'
      : `Users and computers of other forests, tenants or platforms can reach it, too: ${named.join(', ')}.`;
  return notShown === null ? who : `${who} ${notShown}.`;
}
