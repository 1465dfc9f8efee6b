/** Judgment as the service uses it: its handlers, and the work that no request starts, until `close`. */
import { type Config, type Exports, uniteHandlers } from '@clew/common';
import type { CypherRunner, EasiestPaths, QueryServices } from '@clew/explore';
import type { EarlyGenerationSource } from '@clew/generation';
import type { Database } from '@clew/store';
import { combinedHandlers } from './findings/http/combined/combinedHandlers.ts';
import { findingHandlers } from './findings/http/findingHandlers.ts';
import { inboxHandlers } from './inbox/inboxHandlers.ts';
import { planLeaving } from './plan/leaveOut.ts';
import { planHandlers } from './plan/planHandlers.ts';
import { type PlanMakerOptions, startPlanMaker } from './plan/planMaker.ts';
import type { PlanThreadOptions } from './plan/planMessages.ts';
import { Planner } from './plan/planner.ts';
import { answering } from './plan/planParts.ts';
import { reachHandlers } from './plan/reachHandlers.ts';
import { qualityHandlers } from './quality/qualityHandlers.ts';
import { reportHandlers } from './reports/reportHandlers.ts';
import { startReports } from './reports/scheduledReports.ts';
import type { DeliveryParts } from './webhooks/deliveries.ts';
import { webhookHandlers } from './webhooks/webhookHandlers.ts';
import { startWebhooks, type WebhookLog } from './webhooks/webhooks.ts';

export interface PlannerParts {
  readonly database: Pick<Database, 'connection'>;
  readonly config: Pick<Config, 'logLevel' | 'rules' | 'planCosts' | 'attackEfforts' | 'limits'>;
}

/** The threads that plan, and the path of the least effort, which they know. */
export interface Planners {
  readonly options: PlanThreadOptions;
  readonly planner: Planner;
  readonly variants: Planner;
  readonly easiest: EasiestPaths;
  close(): Promise<void>;
}

export function openPlanners({ database, config }: PlannerParts): Planners {
  const options: PlanThreadOptions = {
    connection: database.connection,
    logLevel: config.logLevel,
    rules: config.rules,
    costs: config.planCosts,
    efforts: config.attackEfforts,
    memoryBytes: config.limits.planBytes,
  };
  const planner = new Planner(options);
  const variants = new Planner(options, 'plan-variants');
  return {
    options,
    planner,
    variants,
    easiest: (generation, ends, signal) => answering(planner.run(generation, 'easiest', ends, signal)),
    async close() {
      await variants.close();
      await planner.close();
    },
  };
}

export interface JudgmentParts {
  readonly database: Database;
  readonly generations: EarlyGenerationSource;
  readonly exports: Exports;
  readonly config: Pick<Config, 'planCosts' | 'role' | 'webhookNetworks' | 'logonSessionDays'>;
  readonly planners: Planners;
  readonly queries: QueryServices;
  readonly cypher: CypherRunner;
  readonly box: DeliveryParts['box'];
}

export function judgmentHandlers(parts: JudgmentParts) {
  const { database, generations, exports, config, queries, cypher, box } = parts;
  const { db } = database;
  const { planner, variants } = parts.planners;
  return uniteHandlers(
    combinedHandlers(queries),
    reachHandlers(queries, planner),
    qualityHandlers({ db, generations }),
    planHandlers({
      ...{ db, generations, planner, variants, costs: config.planCosts },
      sessionDays: config.logonSessionDays,
    }),
    findingHandlers(db, generations, exports, cypher, parts.planners.options.rules, planLeaving),
    inboxHandlers({ db, generations }),
    webhookHandlers({ db, box }),
    reportHandlers({ db, generations }),
  );
}

/**
 * Makes whole plans and scheduled reports, and calls webhooks, without a request.
 * @param makesPlans false: a plan is made when a request asks for it @returns a function that ends all of them
 */
export function startJudgment(
  parts: JudgmentParts,
  logs: {
    readonly plans: PlanMakerOptions['log'];
    readonly webhooks: WebhookLog;
    readonly reports: PlanMakerOptions['log'];
  },
  makesPlans = true,
): { stop(): Promise<void> } {
  const { database, generations, planners, config, box } = parts;
  const plans = makesPlans
    ? startPlanMaker({
        ...{ database, generations, planner: planners.options, log: logs.plans },
        ...(config.role === 'all' && { users: { planner: planners.planner } }),
      })
    : undefined;
  const reports = startReports({ db: database.db, generations }, logs.reports);
  const webhooks = startWebhooks({ db: database.db, box, networks: config.webhookNetworks }, logs.webhooks);
  return {
    async stop() {
      await reports.stop();
      await webhooks.stop();
      await plans?.stop();
    },
  };
}
