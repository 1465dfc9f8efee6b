/** A dry run for a system of work: it stores and delivers nothing. */

import { PlanSource } from '../tickets/planSource.ts';
import { cardOf, isToDo, repairsOf } from '../tickets/repairs.ts';
import { newTicket } from '../tickets/ticketTexts.ts';
import type { NewTicket } from '../tickets/workSystem.ts';
import type { RunOptions } from './runParts.ts';
import { choosePlans, selectedNumbers } from './selection.ts';

export interface TicketTestReport {
  readonly planCount: number;
  /** Repairs that are still to do. */
  readonly repairCount: number;
  /** Names in `selectedPlans` that match no started plan. */
  readonly unknown: readonly string[];
  /** The ticket of the first repair. */
  readonly ticket: NewTicket | undefined;
}

/** @throws ApiError, ConnectionError, TimeoutError */
export async function testTickets({
  settings,
  client,
  signal,
}: Pick<RunOptions, 'settings' | 'client' | 'signal'>): Promise<TicketTestReport> {
  const source = new PlanSource(client, signal);
  const { plans } = await source.list(selectedNumbers(settings), (_, read) => read());
  const { chosen, unknown } = choosePlans(plans, settings);
  const open = chosen
    .flatMap((plan) => repairsOf(settings.server, plan))
    .filter(({ changes }) => changes.some(isToDo));
  const counts = { planCount: chosen.length, repairCount: open.length, unknown };
  const [first] = open;
  if (first === undefined) return { ...counts, ticket: undefined };
  const cards = await source.cards(first.plan.asset_group_tag_id);
  return { ...counts, ticket: newTicket(settings.server, first, cardOf(first, cards)) };
}
