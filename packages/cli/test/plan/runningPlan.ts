/** A service with a plan, for tests of its parts. */
import type { CardRecord, PlanRecord, RepairReference } from '@clew/api';
import type { ClewClient } from '@clew/client';
import type { FinishedProcess } from '@clew/service/testing';

export interface RunningPlan {
  readonly client: ClewClient;
  /** The plan of all users, with five cards. */
  readonly plan: PlanRecord;
  /** Runs a command as this user. */
  readonly user: { readonly url: string; readonly home: string; readonly directory: string };
  clew(...args: string[]): Promise<FinishedProcess>;
}

export const referencesOf = ({ packages }: CardRecord): RepairReference[] =>
  packages.flatMap(({ references }) => references);
