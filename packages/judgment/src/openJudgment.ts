/** Opens the judgment part of the service: its handlers and webhook deliveries, until `stop`. */
import { type Config, type Exports, uniteHandlers } from '@clew/common';
import type { CypherRunner, QueryServices } from '@clew/explore';
import type { EarlyGenerationSource } from '@clew/generation';
import type { Database } from '@clew/store';
import { combinedHandlers } from './findings/http/combined/combinedHandlers.ts';
import { findingHandlers } from './findings/http/findingHandlers.ts';
import type { PlanLeaving } from './findings/http/leavingOut.ts';
import { qualityHandlers } from './quality/qualityHandlers.ts';
import type { DeliveryParts } from './webhooks/deliveries.ts';
import { webhookHandlers } from './webhooks/webhookHandlers.ts';
import { startWebhooks, type WebhookLog } from './webhooks/webhooks.ts';

export interface JudgmentParts {
  readonly database: Database;
  readonly generations: EarlyGenerationSource;
  readonly exports: Exports;
  readonly config: Pick<Config, 'rules' | 'webhookNetworks'>;
  readonly queries: QueryServices;
  readonly cypher: CypherRunner;
  readonly box: DeliveryParts['box'];
  /** Implemented by plans, which depend on this package. */
  readonly planLeaving: PlanLeaving;
}

export function judgmentHandlers(parts: JudgmentParts) {
  const { database, generations, exports, config, queries, cypher, box } = parts;
  const { db } = database;
  return uniteHandlers(
    combinedHandlers(queries),
    qualityHandlers({ db, generations }),
    findingHandlers(db, generations, exports, cypher, config.rules, parts.planLeaving),
    webhookHandlers({ db, box }),
  );
}

/** Starts webhook deliveries. @returns a function that stops them */
export function startJudgment(
  { database, config, box }: Pick<JudgmentParts, 'database' | 'config' | 'box'>,
  log: WebhookLog,
): { stop(): Promise<void> } {
  return startWebhooks({ db: database.db, box, networks: config.webhookNetworks }, log);
}
