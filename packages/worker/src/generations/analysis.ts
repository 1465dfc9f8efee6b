/** The analysis as the builder of generations uses it: its rules, their options and their input. */

import { createHash } from 'node:crypto';
import {
  AnalysisContext,
  type AnalysisOptions,
  type AnalysisResult,
  AUTHORITY_HOST_READS,
  type AuthorityAnswer,
  analyze,
  defaultFeatures,
  EVERYBODY_READS,
  edgePropertyReads,
  type FeatureName,
  FINDING_TYPES,
  type FindingType,
  featuresIn,
  hostsOfAuthorities,
  type Membership,
  membershipsOfEverybody,
  RULES,
  requiredEdgeProperties,
  requiredProperties,
  SCOPED_APPLICATION_READS,
  scopedApplicationRoles,
} from '@clew/analysis';
import type { AttackGraph, EdgeProperties, NodeProperties } from '@clew/graph';
import { FINDING_READS, type SelectorBounds } from '@clew/judgment';
import { DEFAULT_SELECTORS, type RulesMode } from '@clew/model';
import { ASSIGNMENT_SCOPE_READS } from '@clew/planning';
import { PLAN_PROPERTIES } from '@clew/plans';
import type { LoadedGraph } from './loadedGraph.ts';
import type { LoadOptions } from './loadOptions.ts';
import { rulesVersion } from './rulesVersion.ts';

/** The input of the analysis, and its results. */
export interface Analysis {
  readonly mode: RulesMode;
  readonly options: AnalysisOptions;
  /** Identifies rules and options: a generation with a different recipe is rebuilt. */
  readonly recipe: string;
  readonly rulesVersion: string;
  readonly selectors: SelectorBounds;
  readonly reads: Pick<LoadOptions, 'nodeProperties' | 'edgeProperties'>;
  /** Memberships of Authenticated Users that no collector reports. */
  everybodyOf(facts: LoadedFacts): readonly Membership[];
  /** @returns the context in which rules see the facts */
  contextOf(input: AnalysisFacts): AnalysisContext;
  run(context: AnalysisContext): AnalysisResult;
}

type LoadedFacts = Pick<LoadedGraph, 'graph' | 'nodeProperties' | 'edgeProperties'>;

export interface AnalysisFacts {
  readonly graph: AttackGraph;
  readonly properties: NodeProperties;
  readonly edgeProperties: EdgeProperties;
}

export interface AnalysisConfig {
  readonly mode: RulesMode;
  /** A version different from that of this code, for tests. */
  readonly version?: string;
  /** Default: the features that are on by default. */
  readonly features?: readonly FeatureName[];
  /** Default: no one has answered. */
  readonly updatedAuthorities?: ReadonlyMap<string, AuthorityAnswer> | undefined;
  /** Limits of the queries of selectors. */
  readonly selectors?: SelectorBounds;
}

/** The inputs of findings and zones other than the rules. */
const CATALOG = createHash('sha256')
  .update(JSON.stringify([FINDING_TYPES.map(withoutTexts), DEFAULT_SELECTORS]))
  .digest('hex')
  .slice(0, 16);

export function createAnalysis({
  mode,
  features,
  updatedAuthorities,
  selectors = {},
  version = rulesVersion(),
}: AnalysisConfig): Analysis {
  const chosen = featuresIn(mode, features ?? defaultFeatures());
  const options = { rules: mode, features: chosen, ...(updatedAuthorities && { updatedAuthorities }) };
  const edgeReads = [
    requiredEdgeProperties(),
    edgePropertyReads(EVERYBODY_READS, ASSIGNMENT_SCOPE_READS),
    FINDING_READS.edgeProperties,
  ];
  return {
    mode,
    options,
    recipe: JSON.stringify({
      mode,
      features: [...chosen].sort(),
      // Absent without answers, so that the recipe equals that of earlier releases.
      ...(updatedAuthorities && { updated: [...updatedAuthorities].map(([id, { by, at }]) => [id, by, at]) }),
      rules: RULES.map(({ name }) => name).sort(),
      catalog: CATALOG,
      version,
    }),
    rulesVersion: version,
    selectors,
    reads: {
      nodeProperties: unionOf(
        requiredProperties(),
        FINDING_READS.nodeProperties,
        PLAN_PROPERTIES,
        SCOPED_APPLICATION_READS.nodeProperties ?? [],
        AUTHORITY_HOST_READS.nodeProperties ?? [],
      ),
      edgeProperties: {
        keys: unionOf(...edgeReads.map(({ keys }) => keys)),
        kinds: new Set(edgeReads.flatMap(({ kinds }) => [...kinds])),
      },
    },
    everybodyOf: ({ graph, nodeProperties: properties, edgeProperties }) =>
      factsNotCollected(new AnalysisContext({ graph, properties, edgeProperties, options })),
    contextOf: (facts) => new AnalysisContext({ ...facts, options }),
    run: (context) => analyze(context),
  };
}

/** Derives the facts that rules need: the computers of CAs, the members of Everyone, and the applications that have roles. */
function factsNotCollected(context: AnalysisContext): Membership[] {
  const hosts = hostsOfAuthorities(context);
  if (context.options.rules === 'parity') return hosts;
  return [...hosts, ...membershipsOfEverybody(context), ...scopedApplicationRoles(context)];
}

function unionOf(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())].sort();
}

/** Changed texts of a finding are not a reason to compute it again. */
function withoutTexts({ family: _, remedy: _remedy, what: _what, ...traits }: FindingType) {
  return traits;
}
