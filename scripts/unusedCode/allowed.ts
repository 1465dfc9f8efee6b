/**
 * Code that only tests or benchmarks use today. The list only shrinks: `scripts/unusedCode.ts` rejects an entry that is no longer needed,
 * and a reviewer rejects a new one. Names for tests belong in `test/` of their package.
 */

/** Names by file; `*` is the complete file. */
export type UnusedNames = Readonly<Record<string, readonly string[]>>;

export const ALLOWED: UnusedNames = {
  'packages/analysis/src/analyze.ts': ['defaultOptions'],
  'packages/analysis/src/findings/findFindings.ts': ['findFindings'],
  'packages/analysis/src/findings/index.ts': ['severityReasonOf'],
  'packages/analysis/src/findings/severityRatings.ts': ['reasonOf'],
  'packages/analysis/src/index.ts': [
    'defaultOptions',
    'findFindings',
    'RELATIONSHIP_FINDINGS',
    'severityReasonOf',
  ],
  'packages/cli/src/index.ts': ['runCommandLine'],
  'packages/connector/src/index.ts': ['builtInPhrase'],
  'packages/cypher/src/syntax/parser.ts': ['parseSetup'],
  'packages/embedded/src/binaries.ts': ['installedPostgresVersion'],
  'packages/embedded/src/index.ts': [
    'findBinaries',
    'installedPostgresVersion',
    'clusterArgument',
    'DATABASE_USER',
    'makeCluster',
    'lockDirectory',
    'stopLeftovers',
    'databaseProcessOwner',
    'serverArguments',
  ],
  'packages/mcp/src/index.ts': ['TOOLS'],
  'packages/queries/src/index.ts': [
    'unmetered',
    'RELATED_LISTS',
    'relationGraph',
    'evaluateRelation',
    'buildSearchIndex',
    'buildWordIndex',
    'folded',
  ],
  'packages/queries/src/meter.ts': ['unmetered'],
  'packages/store/src/index.ts': ['MAX_OBJECT_ID_BYTES', 'detailsOf', 'HIDDEN_VALUE', 'typeParsers'],
  'packages/synthetic/src/index.ts': ['writeForest'],
  'packages/synthetic/src/write.ts': ['writeForest'],
  'packages/web/src/graph/theme.ts': ['TOKEN_NAMES'],
};
