/** Whether this version analyzes everything again. The rules are loaded only for this question: a start does not need them. */
import type { RulesMode } from '@clew/model';

/** @returns whether an analysis by this recipe used other rules than this version; its options and answers of users do not count */
export async function hasOtherRules(recipe: string | null, mode: RulesMode): Promise<boolean> {
  const { createAnalysis } = await import('./generations/analysis.ts');
  return recipe === null || rulesOf(recipe) !== rulesOf(createAnalysis({ mode }).recipe);
}

/** An unreadable recipe differs from every other one. */
function rulesOf(recipe: string): string | undefined {
  try {
    const { mode, rules, catalog, version } = JSON.parse(recipe);
    return JSON.stringify([mode, rules, catalog, version]);
  } catch {
    return undefined;
  }
}
