/** Opens the planning part of the service: threads, handlers and background work, until `close`. */
import { type Config, uniteHandlers } from '@clew/common';
import type { EasiestPaths, QueryServices, ReadEfforts } from '@clew/explore';
import type { EarlyGenerationSource } from '@clew/generation';
import type { Database, DatabaseLog } from '@clew/store';
import { planHandlers } from './http/planHandlers.ts';
import { reachHandlers } from './http/reachHandlers.ts';
import { inboxHandlers } from './inbox/inboxHandlers.ts';
import { reportHandlers } from './reports/reportHandlers.ts';
import { startReports } from './reports/scheduledReports.ts';
import { startPlanEvents } from './run/planEvents.ts';
import { type PlanMakerOptions, startPlanMaker } from './run/planMaker.ts';
import { answering } from './threads/planParts.ts';
import { PlanThreads } from './threads/threadTable.ts';

export interface PlannerParts {
  readonly database: Pick<Database, 'connection'>;
  readonly config: Pick<Config, 'role' | 'logLevel' | 'rules' | 'planCosts' | 'attackEfforts' | 'limits'>;
  readonly log: DatabaseLog;
}

/** The planning threads, and the easiest-path search that runs on them. */
export interface Planners {
  readonly threads: PlanThreads;
  readonly easiest: EasiestPaths;
  readonly efforts: ReadEfforts;
  close(): Promise<void>;
}

export function openPlanners({ database, config, log }: PlannerParts): Planners {
  const options = {
    connection: database.connection,
    logLevel: config.logLevel,
    rules: config.rules,
    costs: config.planCosts,
    efforts: config.attackEfforts,
    memoryBytes: config.limits.planBytes,
  };
  const threads = new PlanThreads(options, log, { answersUsers: config.role === 'all' });
  return {
    threads,
    easiest: (generation, ends, signal) => answering(threads.users.run(generation, 'easiest', ends, signal)),
    efforts: (generation, signal) => answering(threads.users.run(generation, 'efforts', undefined, signal)),
    close: () => threads.close(),
  };
}

export interface PlanServiceParts {
  readonly database: Database;
  readonly generations: EarlyGenerationSource;
  readonly config: Pick<Config, 'planCosts' | 'logonSessionDays'>;
  readonly planners: Planners;
  readonly queries: QueryServices;
}

export function plansHandlers({ database, generations, config, planners, queries }: PlanServiceParts) {
  const { db } = database;
  const { users: planner, variants } = planners.threads;
  return uniteHandlers(
    reachHandlers(queries, planner),
    planHandlers({
      ...{ db, generations, planner, variants, costs: config.planCosts },
      sessionDays: config.logonSessionDays,
    }),
    inboxHandlers({ db, generations }),
    reportHandlers({ db, generations }),
  );
}

/**
 * Starts the background work that computes whole plans and scheduled reports, and records events of started plans.
 * @param makesPlans if false, plans are computed only on request @returns a function that stops this work
 */
export function startPlans(
  { database, generations, planners, config }: Omit<PlanServiceParts, 'queries'>,
  logs: { readonly plans: PlanMakerOptions['log']; readonly reports: PlanMakerOptions['log'] },
  makesPlans = true,
): { stop(): Promise<void> } {
  const { db } = database;
  const events = startPlanEvents({ db, generations, sessionDays: config.logonSessionDays }, logs.plans);
  const plans = makesPlans
    ? startPlanMaker({
        ...{ database, generations, threads: planners.threads, log: logs.plans },
        onFollowed: () => events.wake(),
      })
    : undefined;
  const reports = startReports({ db, generations }, logs.reports);
  return {
    async stop() {
      await reports.stop();
      await plans?.stop();
      await events.stop();
    },
  };
}
