/**
 * One run for a system of work: delivers waiting changes, reads states of tickets back as marks, compares repairs of started
 * plans with their tickets, and delivers the resulting changes. Rule: `docs/integration.md#tickets`.
 */

import type { ClewClient } from '@clew/client';
import { counted } from '@clew/model';
import type { DigestSettings } from '../platforms/settings.ts';
import { StateError } from '../state/sqlEngine.ts';
import type { KnownTicket } from '../state/ticketState.ts';
import { ReadError } from '../tickets/answers.ts';
import { type PlanCard, PlanSource, type StartedPlan } from '../tickets/planSource.ts';
import { cardOf, type PlanRepair, repairsOf } from '../tickets/repairs.ts';
import { newTicket } from '../tickets/ticketTexts.ts';
import type { WorkSystem } from '../tickets/workSystem.ts';
import { type DeliveryReport, MAX_ASKED_PAUSE_MS } from './delivery.ts';
import { dueDigest, keepDigest, readDigest } from './digest.ts';
import { RunBase, type RunOptions, resetOnce, StopReading } from './runParts.ts';
import type { RunReport } from './runReport.ts';
import { choosePlans, selectedNumbers } from './selection.ts';
import { deliverTickets, type TicketDelivery } from './ticketDelivery.ts';
import { enqueueEvent, enqueueMissing, enqueueReturn, newsOf, type TicketCounts } from './ticketIntake.ts';
import { markingOf, readTickets } from './ticketMarks.ts';

export interface TicketRunOptions extends RunOptions<WorkSystem> {
  readonly pause?: TicketDelivery['pause'];
}

/** @throws StateError for tickets of another scope, the reason of the signal; other errors are in the report */
export function runTickets(options: TicketRunOptions): Promise<RunReport> {
  return new TicketRun(options).run();
}

class TicketRun extends RunBase {
  readonly #system: WorkSystem;
  readonly #source: PlanSource;
  readonly #client: ClewClient;
  readonly #digest: (DigestSettings & { readonly receivers: readonly string[] }) | undefined;
  readonly #pause: TicketDelivery['pause'];
  readonly #counts: TicketCounts = { created: 0, updated: 0, closed: 0 };
  readonly #delivery: DeliveryReport = { delivered: 0, duplicates: 0, rejected: 0, reason: undefined };
  readonly #cards = new Map<number, readonly PlanCard[]>();
  #marked = 0;
  /** The system asks not to be contacted now. */
  #isQuiet = false;

  constructor(options: TicketRunOptions) {
    super(options);
    this.#system = options.platform;
    this.#client = options.client;
    const { platform } = options.settings;
    this.#digest =
      platform.type === 'smtp' && platform.digest !== undefined
        ? { ...platform.digest, receivers: platform.to }
        : undefined;
    this.#source = new PlanSource(options.client, options.signal, () => this.isOver);
    this.#pause = options.pause;
  }

  async run(): Promise<RunReport> {
    const begun = this.now();
    await resetOnce(this);
    await this.#bind();
    const quiet = Number((await this.state.meta(QUIET)) ?? 0);
    this.#isQuiet = begun < quiet;
    if (this.#isQuiet)
      this.fault(
        `${this.#system.name} asks to wait until ${new Date(quiet).toISOString()}: nothing is sent before`,
      );
    let isFailed = false;
    try {
      await this.#deliver();
      await this.#readBack();
      if (this.#digest === undefined) await this.#read();
      else await this.#readDigest(this.#digest);
      await this.#deliver();
    } catch (error) {
      this.signal?.throwIfAborted();
      if (!(error instanceof StopReading)) throw error;
      isFailed = error.isFatal;
      this.fault(error.message);
    }
    await this.#noticePostponed();
    const { reason: _, ...delivery } = this.#delivery;
    const health = await this.state.tickets.health();
    if (health.rejected > 0)
      this.log.warn(`the system refused ${counted(health.rejected, 'ticket')} permanently`);
    return {
      status: isFailed ? 'failed' : this.faults.length > 0 || delivery.rejected > 0 ? 'partial' : 'complete',
      ...this.#counts,
      ...{ marked: this.#marked, delivery, health, notRead: [], notReported: [], faults: this.faults },
      milliseconds: this.now() - begun,
    };
  }

  /** @throws StateError for tickets of another scope: the same number means another ticket there */
  async #bind(): Promise<void> {
    const { scope } = this.#system;
    const known = await this.state.meta(SCOPE);
    if (known !== undefined && known !== scope)
      throw new StateError(
        `the tickets of this state are in ${known}, not in ${scope}: give this connector its own state, or set resetState once to find tickets by their keys or create them`,
      );
    if (known === undefined) await this.state.setMeta(SCOPE, scope);
  }

  /** Tickets are created even while their states cannot be read. */
  async #readBack(): Promise<void> {
    const system = this.#system;
    if (system.kind !== 'tracker' || this.#isQuiet) return;
    try {
      const { now, signal } = this;
      await readTickets(this.state, system, { now, signal, isOver: () => this.isOver });
    } catch (error) {
      this.signal?.throwIfAborted();
      this.fault(`the tickets could not be read: ${(error as Error).message}`);
      if (error instanceof ReadError) await this.#quiet(error.afterMs);
    }
  }

  /** The time of a digest that could not be read stays due. */
  async #readDigest(digest: DigestSettings & { readonly receivers: readonly string[] }): Promise<void> {
    const now = this.now();
    const due = await dueDigest(this.state, digest, now);
    if (due === undefined) return;
    const { server, tokenId } = this.settings;
    const parts = { settings: digest, server, client: this.#client, now, signal: this.signal };
    const found = await this.must('the changes of the digest', () => readDigest(parts, due.told));
    const { receivers } = digest;
    await keepDigest(this.state, found, { period: due.period, server, tokenId, receivers });
    if (found.ticket !== undefined) this.#counts.created++;
  }

  async #read(): Promise<void> {
    const followed = (await this.state.tickets.tickets()).filter(({ isFollowed }) => isFollowed);
    const numbers = [...followed.map(({ planId }) => planId), ...selectedNumbers(this.settings)];
    const { plans, unread } = await this.must('the started plans', () =>
      this.#source.list(numbers, (what, work) => this.may(what, work)),
    );
    const { chosen, unknown } = choosePlans(plans, this.settings);
    for (const name of unknown) this.fault(`selectedPlans: no started plan is named ${name}`);
    for (const plan of chosen) await this.#noticeReturn(plan);
    for (const plan of await this.#mark(chosen))
      for (const one of repairsOf(this.settings.server, plan)) {
        this.checkTime();
        await this.may(`repair ${one.repair.number} of ${plan.name}`, () => this.#compare(one));
      }
    await this.#noticeMissing(plans, unread);
  }

  /** @returns the plans with the marks that were set or removed */
  async #mark(plans: readonly StartedPlan[]): Promise<readonly StartedPlan[]> {
    const { server } = this.settings;
    const waiting = await this.state.tickets.waitingKeys();
    const known = new Map((await this.state.tickets.tickets()).map((ticket) => [ticket.key, ticket]));
    const marked: StartedPlan[] = [];
    for (const plan of plans) {
      let last = plan;
      for (const [at, { key }] of repairsOf(server, plan).entries()) {
        const ticket = waiting.has(key) ? undefined : known.get(key);
        const one = repairsOf(server, last)[at];
        if (ticket !== undefined && one?.key === key) last = await this.#markOne(one, ticket);
      }
      marked.push(last);
    }
    return marked;
  }

  async #markOne(one: PlanRepair, ticket: KnownTicket): Promise<StartedPlan> {
    const marking = markingOf(one, ticket);
    if (marking === undefined) return one.plan;
    let { plan } = one;
    const name = ticket.ref?.name;
    const set = async (): Promise<void> => {
      const { changes, done, note, closing } = marking;
      if (changes.length > 0) plan = await this.#source.mark(plan.plan_id, changes, { done, note });
      const by = plan.changes.find(({ number }) => number === changes[0])?.marked?.by;
      this.#marked += changes.length;
      await this.state.tickets.put({ ...ticket, markedFor: closing, markedBy: by ?? ticket.markedBy });
      if (closing !== '' && !done)
        this.log.warn(`ticket ${name} is ${ticket.report?.state}, but not done: no change is marked`);
    };
    await this.may(`the mark of ticket ${name}`, set, 'set');
    return plan;
  }

  async #compare(one: PlanRepair): Promise<void> {
    const { server } = this.settings;
    const known = await this.state.tickets.ticket(one.key);
    const news = newsOf(server, one, known, this.#system.kind === 'tracker');
    if (news === undefined) return;
    const ticket = newTicket(server, one, cardOf(one, await this.#cardsOf(one.plan.asset_group_tag_id)));
    await this.state.transaction(({ tickets }) => enqueueEvent(tickets, news, ticket, this.#counts));
  }

  /** A ticket without the card has the texts of the started plan. */
  async #cardsOf(zone: number): Promise<readonly PlanCard[]> {
    const known = this.#cards.get(zone);
    if (known !== undefined) return known;
    let cards: readonly PlanCard[] = [];
    await this.may('the cards of the plan', async () => {
      cards = await this.#source.cards(zone);
    });
    this.#cards.set(zone, cards);
    return cards;
  }

  /** A channel has no tickets: it gets one message per plan. */
  get #isPerPlan(): boolean {
    return this.#system.kind === 'messenger';
  }

  /** Handles tickets of a plan that was missing and has returned. */
  async #noticeReturn(plan: StartedPlan): Promise<void> {
    const keys = new Set(repairsOf(this.settings.server, plan).map(({ key }) => key));
    const known = await this.state.tickets.tickets();
    const tickets = known.filter(({ key, missedAt }) => missedAt > 0 && keys.has(key));
    if (tickets.length === 0) return;
    const back = { planName: plan.name, tickets, isPerPlan: this.#isPerPlan };
    await this.state.transaction((inside) => enqueueReturn(inside.tickets, back, this.#counts));
  }

  /** Handles tickets whose plan is missing. One read may fall into a short outage, so they report it after a second one. */
  async #noticeMissing(plans: readonly StartedPlan[], unread: ReadonlySet<number>): Promise<void> {
    const there = new Set(
      plans.flatMap((plan) => repairsOf(this.settings.server, plan)).map(({ key }) => key),
    );
    const missed = (await this.state.tickets.tickets()).filter(
      ({ key, planId, isFollowed }) => isFollowed && !there.has(key) && !unread.has(planId),
    );
    const now = this.now();
    const missing = missed.filter(({ missedAt }) => missedAt > 0 && now - missedAt >= PLAN_MISSING_MS);
    await this.state.transaction(async ({ tickets }) => {
      for (const one of missed) if (one.missedAt === 0) await tickets.put({ ...one, missedAt: now });
      for (const [, of] of Map.groupBy(missing, ({ planId }) => planId)) {
        const plan = { planName: of[0]?.planName ?? '', tickets: of, isPerPlan: this.#isPerPlan };
        await enqueueMissing(tickets, plan, this.#counts);
      }
    });
  }

  /** A system that refused in this run is not contacted again before the next one. */
  async #deliver(): Promise<void> {
    if (this.#delivery.reason !== undefined || this.#isQuiet) return;
    const { state, now, until, signal } = this;
    const fault = (text: string): void => this.fault(text);
    const options = { state, system: this.#system, now, until, signal, pause: this.#pause, fault };
    const { reason, quietMs, ...counts } = await deliverTickets(options);
    this.#delivery.delivered += counts.delivered;
    this.#delivery.duplicates += counts.duplicates;
    this.#delivery.rejected += counts.rejected;
    this.#delivery.reason = reason;
    if (reason !== undefined) this.fault(reason);
    await this.#quiet(quietMs);
  }

  /** Finds changes that the system did not accept, in this run or an earlier one: they are not tried before their time. */
  async #noticePostponed(): Promise<void> {
    const postponed = await this.state.tickets.postponed();
    for (const { kind, title, reason } of postponed.slice(0, MAX_SAID)) {
      const isSaid = this.faults.some((fault) => fault.endsWith(reason));
      if (!isSaid) this.fault(`${kind} of ${title || 'a ticket'} waits: ${reason}`);
    }
    const left = postponed.length - MAX_SAID;
    if (left > 0) this.fault(`${left} more wait: use clew connector status to see them`);
  }

  /** @param milliseconds of the requested pause */
  async #quiet(milliseconds: number | undefined): Promise<void> {
    if (milliseconds === undefined || milliseconds <= 0) return;
    this.#isQuiet = true;
    await this.state.setMeta(QUIET, String(this.now() + Math.min(milliseconds, MAX_ASKED_PAUSE_MS)));
  }
}

/** Minimum time between two reads that miss a plan. */
const PLAN_MISSING_MS = 3_600_000;
/** Maximum number of waiting changes that a run names. */
const MAX_SAID = 20;

const QUIET = 'tickets:quiet';
const SCOPE = 'tickets:scope';
