/**
 * One run of the connector, in the order of the specification: environments, finding types, texts, findings, alerts, and state.
 * Findings come from the service by `changeFeed.ts` and `readList.ts`, and go to the host platform by `delivery.ts`; the outbox of
 * the state is between the two. Rule: `docs/integration.md#a-run`.
 */
import { counted, unreadSentence } from '@clew/model';
import type { Triple } from '../findings/items.ts';
import type { NamedTriple } from '../findings/records.ts';
import { isWorkSystem } from '../tickets/workSystem.ts';
import { followChanges } from './changeFeed.ts';
import { type DeliveryReport, deliverWaiting } from './delivery.ts';
import { isOver } from './intake.ts';
import { availableLists, emptiedLists, idOf, inOrderOfUrgency, unreadLists } from './lists.ts';
import { lookForChanges, readChangedList } from './readList.ts';
import { type RunOptions, RunParts, resetOnce, StopReading } from './runParts.ts';
import type { RunReport } from './runReport.ts';
import { chooseEnvironments, chooseTypes, chooseZones } from './selection.ts';
import { runTickets } from './ticketRun.ts';

/** Reading stops at this limit while the host accepts nothing. */
const MAX_WAITING = 100_000;

/** @throws SettingsError, the reason of the signal; other errors are in the report */
export async function runConnector({ platform, ...options }: RunOptions): Promise<RunReport> {
  return isWorkSystem(platform)
    ? runTickets({ ...options, platform })
    : new Run(new RunParts({ ...options, platform })).run();
}

class Run {
  readonly #parts: RunParts;
  readonly #begun: number;
  #notRead: readonly string[] = [];
  #notReported: readonly string[] = [];
  readonly #delivery: DeliveryReport = { delivered: 0, duplicates: 0, rejected: 0, reason: undefined };

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#begun = parts.now();
  }

  async run(): Promise<RunReport> {
    const { log, settings, state, intake, faults, now } = this.#parts;
    await resetOnce(this.#parts);
    await this.#noticeOtherFilters();
    let isFailed = false;
    const orStopped = async (work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        this.#parts.signal?.throwIfAborted();
        if (!(error instanceof StopReading)) throw error;
        isFailed ||= error.isFatal;
        this.#parts.fault(error.message);
      }
    };
    await orStopped(async () => {
      // Items that the host did not accept last time are sent first.
      await this.#deliver();
      await this.#read();
    });
    if (!isFailed) await orStopped(() => this.#deliver());
    const { reason: _, ...delivery } = this.#delivery;
    const health = await state.health(settings);
    if (health.rejected > 0)
      log.warn(`the host platform refused ${counted(health.rejected, 'item')} permanently`);
    return {
      status: isFailed ? 'failed' : faults.length > 0 || delivery.rejected > 0 ? 'partial' : 'complete',
      ...intake.counts,
      delivery,
      health,
      notRead: this.#notRead,
      notReported: this.#notReported,
      faults,
      milliseconds: now() - this.#begun,
    };
  }

  /** Findings that earlier filters excluded may be selected now. */
  async #noticeOtherFilters(): Promise<void> {
    const { settings, state } = this.#parts;
    const filters = JSON.stringify([
      settings.minimumSeverity,
      settings.includeAccepted,
      settings.includeParts,
    ]);
    if ((await state.meta('filters')) === filters) return;
    await state.transaction(async (inside) => {
      await inside.readAgain();
      await inside.setMeta('filters', filters);
    });
  }

  async #read(): Promise<void> {
    const parts = this.#parts;
    const { source, settings, log } = parts;
    const environments = await parts.must('the environments', () =>
      chooseEnvironments(source, settings, (sentence) => log.warn(sentence)),
    );
    if (environments.length === 0)
      throw new StopReading('no environment is visible with these credentials', true);
    this.#notRead = environments.flatMap(({ name, notRead }) => unreadSentence(name, notRead) ?? []);
    for (const sentence of this.#notRead) log.info(sentence);
    const ids = environments.map(({ id }) => id);
    await parts.may('the data that was not reported again', async () => {
      this.#notReported = await source.notReported(ids);
    });
    for (const sentence of this.#notReported) log.warn(sentence);
    const zones = await parts.must('the zones', () => chooseZones(source, settings));
    const types = await parts.must('the finding types', () => chooseTypes(source, settings));
    const lists = await availableLists(parts, { environments, zones, types });
    const hasFeed = await followChanges(parts);
    const empty = await emptiedLists(parts, types, lists);
    const emptied = hasFeed ? await unreadLists(parts, empty) : empty;
    for (const triple of await inOrderOfUrgency(parts, [...lists.available, ...emptied], hasFeed)) {
      parts.checkTime();
      await this.#checkRoom();
      await parts.may(`${triple.findingType} in ${triple.environmentName}`, async () => {
        if (!hasFeed) await lookForChanges(parts, triple, emptied.includes(triple));
        await readChangedList(parts, triple, hasFeed);
        await this.#correctTexts(triple);
      });
      await this.#deliver();
    }
  }

  /** While the host accepts nothing, the number of waiting items is limited. */
  async #checkRoom(): Promise<void> {
    if ((await this.#parts.state.waiting()) >= MAX_WAITING)
      throw new StopReading(`${MAX_WAITING} items wait for the host platform: no more are read`);
  }

  /** Findings sent without a text are sent again once it is available. */
  async #correctTexts(triple: NamedTriple): Promise<void> {
    const { state, texts, intake } = this.#parts;
    if ((await state.meta(lackingName(triple))) !== 'lacking') return;
    await texts.of(triple);
    if (!texts.hasAll(triple)) return;
    await state.transaction(async (inside) => {
      for (const known of await inside.itemsOf(triple))
        if (!isOver(known.status)) await intake.correctTexts(inside, known);
      await inside.setMeta(lackingName(triple), '');
    });
  }

  /** A host that refused in this run is not contacted again before the next one. */
  async #deliver(): Promise<void> {
    if (this.#delivery.reason !== undefined) return;
    const { settings, state, platform, signal, now, until, texts } = this.#parts;
    const { reason, ...counts } = await deliverWaiting({
      ...{ settings, state, platform, signal, now, until },
      // The service may be unavailable while the host platform is available.
      textsOf: async (batch) => {
        const found = await this.#parts.must('the texts of findings', () =>
          texts.of(batch, Number.POSITIVE_INFINITY),
        );
        if (!texts.hasAll(batch)) await state.setMeta(lackingName(batch), 'lacking');
        return found;
      },
    });
    this.#delivery.delivered += counts.delivered;
    this.#delivery.duplicates += counts.duplicates;
    this.#delivery.rejected += counts.rejected;
    this.#delivery.reason = reason;
    if (reason !== undefined) this.#parts.fault(reason);
  }
}

const lackingName = (triple: Triple): string => `lacking:${idOf(triple)}`;
