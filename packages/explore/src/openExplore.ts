/** Exploration for the service: its handlers, with their services and threads, until `close`. */
import { type Config, type Exports, proxyCount, uniteHandlers } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import type { Database } from '@clew/store';
import { createAnswerTyped } from './bolt/answerTyped.ts';
import { cypherHandlers } from './cypher/cypherHandlers.ts';
import { CypherRunner, type ReadEfforts } from './cypher/cypherRunner.ts';
import { savedQueryHandlers } from './cypher/savedQueryHandlers.ts';
import { watchHandlers } from './cypher/watches/watchHandlers.ts';
import { explainHandlers } from './explain/explainHandlers.ts';
import { exploreHandlers } from './graphs/exploreHandlers.ts';
import {
  createQueryServices,
  type EasiestPaths,
  type ReadRatings,
  type ReadUnread,
} from './graphs/queryServices.ts';
import { analysisHandlers } from './requests/analysisHandlers.ts';
import { configHandlers, type FindingSettings, type PasswordDays } from './requests/configHandlers.ts';

export interface ExploreParts {
  readonly database: Database;
  readonly generations: GenerationSource;
  readonly exports: Exports;
  readonly config: Pick<
    Config,
    | 'rules'
    | 'logLevel'
    | 'limits'
    | 'trustedProxies'
    | 'sessionHours'
    | 'pruneDays'
    | 'logonSessionDays'
    | 'bypassLimits'
  >;
  readonly ratings: ReadRatings;
  readonly unread: ReadUnread;
  readonly easiest: EasiestPaths;
  readonly efforts: ReadEfforts;
  readonly passwordDays: PasswordDays;
  readonly findingSettings: FindingSettings;
}

export function openExplore(parts: ExploreParts) {
  const { database, generations, exports, config, ratings, unread, easiest, efforts } = parts;
  const { passwordDays, findingSettings } = parts;
  const { db } = database;
  const queries = createQueryServices({
    generations,
    database,
    ratings,
    unread,
    rules: config.rules,
    exports,
  });
  const cypher = new CypherRunner({
    connection: database.connection,
    logLevel: config.logLevel,
    memoryBytes: config.limits.cypherBytes,
    efforts,
  });
  generations.onSwap((generation) => void cypher.prepare(generation));
  const { cypherRows: rows, cypherAnswer: results, cypherSteps: steps } = config.limits;
  const cypherParts = {
    ...{ db, generations, properties: queries.properties, runner: cypher },
    edgeProperties: queries.edgeProperties,
    limits: { rows, results, steps },
  };
  const handlers = uniteHandlers(
    exploreHandlers(queries, easiest),
    explainHandlers(queries, (generation, query, origin) =>
      cypher.check(generation, query, undefined, origin),
    ),
    cypherHandlers(cypherParts),
    savedQueryHandlers(db),
    watchHandlers(db),
    analysisHandlers(db),
    configHandlers(db, {
      ...{ ...config, passwordDays, findings: findingSettings },
      trustedProxies: proxyCount(config.trustedProxies),
    }),
  );
  return {
    handlers,
    queries,
    cypher,
    answerTyped: createAnswerTyped(cypherParts),
    async close(): Promise<void> {
      await cypher.close();
      await queries.close();
    },
  };
}
