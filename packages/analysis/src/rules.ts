/** All rules of the analysis. A new rule is a file of its own and a row here. */
import type { Rule } from './rule.ts';

export const RULES: readonly Rule[] = [];
