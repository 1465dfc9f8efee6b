/** The analysis as the builder of generations uses it: which rules, with which options, and what they read. */
import { createHash } from 'node:crypto';
import {
  type AnalysisOptions,
  type AnalysisResult,
  analyse,
  defaultFeatures,
  type FeatureName,
  RULES,
  type RulesMode,
  requiredEdgeProperties,
  requiredProperties,
} from '@clew/analysis';
import type { AttackGraph, EdgeProperties, NodeProperties } from '@clew/graph';
import { DEFAULT_SELECTORS, EdgeKind, FINDING_TYPES } from '@clew/model';
import { FINDING_READS } from '../findings/findingStep.ts';
import type { LoadOptions } from './loadGraph.ts';

/** What the analysis is given, and what it makes of it. */
export interface Analysis {
  readonly mode: RulesMode;
  readonly options: AnalysisOptions;
  /** Names rules and options: a generation made with others is made again. */
  readonly recipe: string;
  readonly reads: Pick<LoadOptions, 'nodeProperties' | 'edgeProperties'>;
  run(input: AnalysisFacts): AnalysisResult;
}

export interface AnalysisFacts {
  readonly graph: AttackGraph;
  readonly properties: NodeProperties;
  readonly edgeProperties: EdgeProperties;
}

export interface AnalysisConfig {
  readonly mode: RulesMode;
  /** Default: the features that are on where nobody chose. */
  readonly features?: readonly FeatureName[];
}

/** Properties of these edges only are read; every other entry of an access list may carry some, too. */
const KINDS_WITH_READ_PROPERTIES: ReadonlySet<number> = new Set([
  ...[EdgeKind.OwnsRaw, EdgeKind.WriteOwnerRaw],
  ...FINDING_READS.edgeProperties.kinds,
]);

/** What findings and zones follow from, beside the rules. */
const CATALOGUE = createHash('sha256')
  .update(JSON.stringify([FINDING_TYPES, DEFAULT_SELECTORS]))
  .digest('hex')
  .slice(0, 16);

export function createAnalysis({ mode, features }: AnalysisConfig): Analysis {
  const chosen = new Set(features ?? defaultFeatures());
  const options = { rules: mode, features: chosen };
  return {
    mode,
    options,
    recipe: JSON.stringify({
      mode,
      features: [...chosen].sort(),
      rules: RULES.map(({ name }) => name).sort(),
      catalogue: CATALOGUE,
    }),
    reads: {
      nodeProperties: unionOf(requiredProperties(), FINDING_READS.nodeProperties),
      edgeProperties: {
        keys: unionOf(requiredEdgeProperties(), FINDING_READS.edgeProperties.keys),
        kinds: KINDS_WITH_READ_PROPERTIES,
      },
    },
    run: (facts) => analyse({ ...facts, options }),
  };
}

function unionOf(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())].sort();
}
