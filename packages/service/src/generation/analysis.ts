/** The analysis as the builder of generations uses it: which rules, with which options, and what they read. */
import {
  analyse,
  defaultFeatures,
  type FeatureName,
  RULES,
  type RulesMode,
  requiredEdgeProperties,
  requiredProperties,
} from '@clew/analysis';
import { EdgeKind } from '@clew/model';
import type { Analysis } from './buildGeneration.ts';

export interface AnalysisConfig {
  readonly mode: RulesMode;
  /** Default: the features that are on where nobody chose. */
  readonly features?: readonly FeatureName[];
}

/** Rules read properties of these edges only; every other entry of an access list may carry some, too. */
const KINDS_WITH_READ_PROPERTIES: ReadonlySet<number> = new Set([EdgeKind.OwnsRaw, EdgeKind.WriteOwnerRaw]);

export function createAnalysis({ mode, features }: AnalysisConfig): Analysis {
  const chosen = new Set(features ?? defaultFeatures());
  return {
    mode,
    recipe: JSON.stringify({
      mode,
      features: [...chosen].sort(),
      rules: RULES.map(({ name }) => name).sort(),
    }),
    reads: {
      nodeProperties: requiredProperties(),
      edgeProperties: { keys: requiredEdgeProperties(), kinds: KINDS_WITH_READ_PROPERTIES },
    },
    run: (facts) => analyse({ ...facts, options: { rules: mode, features: chosen } }),
  };
}
