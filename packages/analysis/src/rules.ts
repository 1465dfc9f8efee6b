/** All rules of the analysis. A new rule needs its own file and a row in the table of its area. */
import { AD_RULES } from './ad/rules.ts';
import { ADCS_RULES } from './adcs/rules.ts';
import { AZURE_RULES } from './azure/rules.ts';
import type { Rule } from './rule.ts';

export const RULES: readonly Rule[] = [...AD_RULES, ...ADCS_RULES, ...AZURE_RULES];
