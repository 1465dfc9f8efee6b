/** The sentence above the decisions of a plan, the same in the command line, reports and pages. */

/** @param decisions changes that no card contains, with their packages */
export function decisionsSentence(decisions: readonly { readonly packages: readonly unknown[] }[]): string {
  const count = decisions.reduce((sum, { packages }) => sum + packages.length, 0);
  return count === 1
    ? 'This change would lead further toward the goal. It interrupts something or has little effect, so no card contains it.'
    : 'These changes would lead further toward the goal. They interrupt something or have little effect, so no card contains them.';
}
