/**
 * One run of the connector, in the order of the specification: environments, finding types, texts, findings, alerts, and state.
 * Rule: `docs/integration.md#a-run`.
 */
import type { UnifiedFindingRow } from '@clew/api';
import { ApiError, type ClewClient } from '@clew/client';
import { unreadSentence } from '@clew/model';
import { messageOf } from '../actions/faults.ts';
import { earlier, instantOf, later } from '../findings/instants.ts';
import type { FindingFacts, Triple } from '../findings/items.ts';
import { keyOf, type NamedTriple, RecordError, readRecord, readRow } from '../findings/records.ts';
import type { HostPlatform } from '../platforms/platform.ts';
import type { ConnectorState, Health, KnownItem } from '../state/connectorState.ts';
import type { ConnectorLog } from './connectorLog.ts';
import { type DeliveryReport, deliverWaiting } from './delivery.ts';
import { Intake, isOver } from './intake.ts';
import { chooseEnvironments, chooseTypes, chooseZones } from './selection.ts';
import { type ConnectorSettings, SettingsError } from './settings.ts';
import {
  type Environment,
  type FeedPage,
  FeedPlaceError,
  FindingSource,
  faultOf,
  type Zone,
} from './source.ts';
import { TextShelf } from './textShelf.ts';

/** Findings become visible when the transaction of their analysis ends, later than the times they carry. */
const OVERLAP_MS = 10 * 60_000;
/** More is not read while the host takes nothing. */
const MAX_WAITING = 100_000;
/** A list that changes while it is read is read again. */
const MAX_READS = 3;
/** With a feed, too, all lists are read as a whole that often. */
const COMPLETE_LOOK_MS = 24 * 3_600_000;

export interface RunOptions {
  readonly settings: ConnectorSettings;
  readonly client: ClewClient;
  readonly state: ConnectorState;
  readonly platform: HostPlatform;
  readonly log: ConnectorLog;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

export interface RunReport {
  /** `partial`: some of it is left to a later run; `failed`: nothing was read. */
  readonly status: 'complete' | 'partial' | 'failed';
  readonly created: number;
  readonly updated: number;
  readonly closed: number;
  readonly delivery: Omit<DeliveryReport, 'reason'>;
  readonly health: Health;
  /** Unread parts of the environments, one sentence each: no findings does not mean safety. */
  readonly notRead: readonly string[];
  /** Errors, one line each. */
  readonly faults: readonly string[];
  readonly milliseconds: number;
}

/** A zone of an environment. */
type Place = Omit<NamedTriple, 'findingType'>;

/** Ends the reading of a run, with the reason. */
class StopReading extends Error {
  override readonly name = 'StopReading';
  readonly isFatal: boolean;

  constructor(reason: string, isFatal = false) {
    super(reason);
    this.isFatal = isFatal;
  }
}

/** @throws SettingsError, the reason of the signal; other errors are in the report */
export async function runConnector(options: RunOptions): Promise<RunReport> {
  return new Run(options).run();
}

class Run {
  readonly #options: RunOptions;
  readonly #source: FindingSource;
  readonly #intake: Intake;
  readonly #now: () => number;
  readonly #begun: number;
  readonly #faults: string[] = [];
  #notRead: readonly string[] = [];
  readonly #texts: TextShelf;
  readonly #delivery: DeliveryReport = { delivered: 0, duplicates: 0, rejected: 0, reason: undefined };

  constructor(options: RunOptions) {
    this.#options = options;
    this.#source = new FindingSource(options.client, options.signal);
    this.#now = options.now ?? Date.now;
    this.#begun = this.#now();
    this.#intake = new Intake(options.settings, this.#now);
    this.#texts = new TextShelf({
      ...{ source: this.#source, state: options.state, signal: options.signal, now: this.#now },
      onFault: (message) => this.#fault(message),
    });
  }

  async run(): Promise<RunReport> {
    const { log, state } = this.#options;
    await this.#resetOnce();
    await this.#noticeOtherFilters();
    let isFailed = false;
    const orStopped = async (work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        this.#options.signal?.throwIfAborted();
        if (!(error instanceof StopReading)) throw error;
        isFailed ||= error.isFatal;
        this.#fault(error.message);
      }
    };
    await orStopped(async () => {
      // Items that the host did not take last time come first.
      await this.#deliver();
      await this.#read();
    });
    if (!isFailed) await orStopped(() => this.#deliver());
    const { reason: _, ...delivery } = this.#delivery;
    const health = await state.health();
    if (health.rejected > 0) log.warn(`${health.rejected} items were refused by the host platform for good`);
    return {
      status: isFailed ? 'failed' : this.#faults.length > 0 || delivery.rejected > 0 ? 'partial' : 'complete',
      ...this.#intake.counts,
      delivery,
      health,
      notRead: this.#notRead,
      faults: this.#faults,
      milliseconds: this.#now() - this.#begun,
    };
  }

  /** Once for each time that it is switched on. */
  async #resetOnce(): Promise<void> {
    const { settings, state, log } = this.#options;
    const done = (await state.meta('reset')) === 'done';
    if (done === settings.resetState) return;
    await state.transaction(async (inside) => {
      if (settings.resetState) await inside.reset();
      await inside.setMeta('reset', settings.resetState ? 'done' : '');
    });
    if (settings.resetState) log.info('the state was reset: all findings are delivered again');
  }

  /** Findings that were left out before may be selected now. */
  async #noticeOtherFilters(): Promise<void> {
    const { settings, state } = this.#options;
    const filters = JSON.stringify([settings.minimumSeverity, settings.includeAccepted]);
    if ((await state.meta('filters')) === filters) return;
    await state.transaction(async (inside) => {
      await inside.readAgain();
      await inside.setMeta('filters', filters);
    });
  }

  async #read(): Promise<void> {
    const environments = await this.#must('the environments', () =>
      chooseEnvironments(this.#source, this.#options.settings),
    );
    if (environments.length === 0)
      throw new StopReading('no environment is visible with these credentials', true);
    this.#notRead = environments.flatMap(({ name, notRead }) => unreadSentence(name, notRead) ?? []);
    for (const sentence of this.#notRead) this.#options.log.info(sentence);
    const zones = await this.#must('the zones', () => chooseZones(this.#source, this.#options.settings));
    const types = await this.#must('the finding types', () =>
      chooseTypes(this.#source, this.#options.settings),
    );
    const { available, readPlaces } = await this.#triples(environments, zones, types);
    const hasFeed = await this.#followChanges();
    const gone = await this.#emptiedTriples(readPlaces, types, available);
    const emptied = hasFeed ? await this.#unreadOf(gone) : gone;
    for (const triple of await this.#inOrder([...available, ...emptied], hasFeed)) {
      this.#checkTime();
      await this.#checkRoom();
      await this.#may(`${triple.findingType} in ${triple.environmentName}`, async () => {
        if (!hasFeed) await this.#lookForChanges(triple, emptied.includes(triple));
        await this.#readTriple(triple, hasFeed);
        await this.#correctTexts(triple);
      });
      await this.#deliver();
    }
  }

  /** Sorts like the list of findings: the most urgent are reported first. Those beyond its first page follow. */
  async #inOrder(triples: readonly NamedTriple[], hasFeed: boolean): Promise<readonly NamedTriple[]> {
    const cursors = await Promise.all(triples.map((triple) => this.#options.state.cursor(triple)));
    if (hasFeed && cursors.filter(({ dirty }) => dirty).length < 2) return triples;
    const places = new Map<string, number>();
    await this.#may('the order of the findings', async () => {
      for (const triple of await this.#source.firstTriples()) {
        const id = idOf(triple);
        places.set(id, places.get(id) ?? places.size);
      }
    });
    const placeOf = (triple: Triple): number => places.get(idOf(triple)) ?? places.size;
    return triples.toSorted((one, other) => placeOf(one) - placeOf(other));
  }

  /** While the host takes nothing, the number of waiting items is limited. */
  async #checkRoom(): Promise<void> {
    if ((await this.#options.state.waiting()) >= MAX_WAITING)
      throw new StopReading(`${MAX_WAITING} items wait for the host platform: no more are read`);
  }

  /** Selects the triples that must be read completely. */
  async #unreadOf(triples: readonly NamedTriple[]): Promise<readonly NamedTriple[]> {
    const cursors = await Promise.all(triples.map((triple) => this.#options.state.cursor(triple)));
    return triples.filter((_, at) => cursors[at]?.dirty && cursors[at].position === '');
  }

  /** Types that the host has findings of, and the service has none any more. */
  async #emptiedTriples(
    readPlaces: readonly Place[],
    types: ReadonlySet<string> | undefined,
    available: readonly NamedTriple[],
  ): Promise<readonly NamedTriple[]> {
    const known = await this.#options.state.triples();
    return known.flatMap((triple) => {
      if (types?.has(triple.findingType) === false || available.some((each) => isSameTriple(each, triple)))
        return [];
      const place = readPlaces.find(
        ({ environmentId, zoneId }) => environmentId === triple.environmentId && zoneId === triple.zoneId,
      );
      return place === undefined ? [] : [{ ...triple, ...place }];
    });
  }

  /** @returns the triples to read, where known: an unread list is not an empty one */
  async #triples(
    environments: readonly Environment[],
    zones: readonly Zone[],
    types: ReadonlySet<string> | undefined,
  ): Promise<{ readonly available: readonly NamedTriple[]; readonly readPlaces: readonly Place[] }> {
    const available: NamedTriple[] = [];
    const readPlaces: Place[] = [];
    for (const { id: environmentId, name: environmentName } of environments) {
      for (const { id: zoneId, name: zoneName } of zones) {
        this.#checkTime();
        const place = { environmentId, environmentName, zoneId, zoneName };
        await this.#may(`the finding types of ${environmentName} in ${zoneName}`, async () => {
          for (const findingType of await this.#source.availableTypes(environmentId, zoneId))
            if (types === undefined || types.has(findingType)) available.push({ ...place, findingType });
          readPlaces.push(place);
        });
      }
    }
    if (available.length === 0) this.#options.log.info('no environment has findings of the selected types');
    return { available, readPlaces };
  }

  /** @returns false without a feed of changes, when everything must be read */
  async #followChanges(): Promise<boolean> {
    const { state } = this.#options;
    await this.#readAllNowAndThen();
    const place = (await state.meta('feed')) || undefined;
    for (let since = place; ; ) {
      this.#checkTime();
      const page = await this.#changesSince(since);
      if (page === undefined) return false;
      const { next } = page;
      await state.transaction(async (inside) => {
        for (const change of page.findings) await this.#takeChange(inside, change);
        if (next !== undefined) await inside.setMeta('feed', next);
      });
      if (next === undefined) {
        this.#fault('the feed of changes does not say where it goes on: everything is read');
        await state.transaction((inside) => inside.readAgain());
        return false;
      }
      if (!page.hasMore) return true;
      since = next;
    }
  }

  /** @returns nothing when the service has no feed */
  async #changesSince(since: string | undefined): Promise<FeedPage | undefined> {
    const { state } = this.#options;
    try {
      return await this.#must('the changes', () => this.#source.changes(since), FeedPlaceError);
    } catch (error) {
      if (!(error instanceof FeedPlaceError)) throw error;
      this.#fault(
        `the service refuses the place in the feed of changes: everything is read. ${error.message}`,
      );
      // The next run begins at the present place of the feed; the lists show the changes in between.
      const now = await this.#must('the changes', () => this.#source.changes(undefined));
      await state.transaction(async (inside) => {
        await inside.setMeta('feed', now?.next ?? '');
        await inside.readAgain();
      });
      return undefined;
    }
  }

  async #takeChange(state: ConnectorState, change: unknown): Promise<void> {
    try {
      const { row, finding } = readRow(change);
      if (isOver(row.status)) await this.#intake.end(state, finding, row.status, whyOver(row));
      else await state.markChanged(finding);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      // Whatever it was about is seen in the lists.
      this.#fault(`the feed of changes: ${error.message}: everything is read`);
      await state.readAgain();
    }
  }

  /** A complete look corrects errors that were not noticed. */
  async #readAllNowAndThen(): Promise<void> {
    const { state } = this.#options;
    const last = Number((await state.meta('looked')) ?? 0);
    if (this.#now() - last < COMPLETE_LOOK_MS) return;
    await state.transaction(async (inside) => {
      if (last > 0) await inside.readAgain();
      await inside.setMeta('looked', String(this.#now()));
    });
  }

  /** Findings sent without a text are sent again once it is available. */
  async #correctTexts(triple: NamedTriple): Promise<void> {
    const { state } = this.#options;
    if ((await state.meta(lackingName(triple))) !== 'lacking') return;
    await this.#texts.of(triple);
    if (!this.#texts.hasAll(triple)) return;
    await state.transaction(async (inside) => {
      for (const known of await inside.itemsOf(triple))
        if (!isOver(known.status)) await this.#intake.correctTexts(inside, known);
      await inside.setMeta(lackingName(triple), '');
    });
  }

  /** Without a feed: whether an analysis ran since. */
  async #lookForChanges(triple: NamedTriple, isEmptied: boolean): Promise<void> {
    const { state } = this.#options;
    const cursor = await state.cursor(triple);
    const analysis = await this.#source.lastAnalysis(triple);
    if (isEmptied || analysis === undefined || analysis !== cursor.analysis)
      await state.setCursor({ ...cursor, analysis: analysis ?? '', dirty: true });
  }

  async #readTriple(triple: NamedTriple, hasFeed: boolean): Promise<void> {
    const { state } = this.#options;
    const cursor = await state.cursor(triple);
    if (!cursor.dirty) return;
    await this.#texts.of(triple);
    // Only a complete list shows which findings ended.
    const position = hasFeed ? cursor.position : '';
    const seen = await this.#readList(triple, position);
    const missing = position === '' ? await this.#missing(triple, seen.keys) : [];
    // A finding has ended only if a second look confirms it.
    const again = missing.length === 0 ? seen : await this.#readList(triple, '');
    await state.transaction(async (inside) => {
      for (const { key } of missing) {
        const known = await inside.item(key);
        if (again.keys.has(key) || known === undefined || isOver(known.status)) continue;
        await this.#intake.endKnown(inside, known, 'remediated', 'no longer found');
      }
      await inside.setCursor({ ...cursor, position: again.position, dirty: false });
    });
  }

  /** @throws ListError when it could not be read as a whole */
  async #readList(triple: NamedTriple, from: string) {
    for (let read = 1; read <= MAX_READS; read++) {
      const seen = await this.#readPages(triple, from);
      if (seen === undefined) continue;
      // An unreadable record may be any of the missing ones.
      if (seen.unread > 0)
        throw new ListError(
          `${plural(seen.unread, 'record')} could not be read: none of its findings is closed`,
        );
      return seen;
    }
    throw new ListError('the list changed while it was read');
  }

  /** @returns nothing when the list changed in the middle */
  async #readPages(
    triple: NamedTriple,
    from: string,
  ): Promise<
    | { readonly position: string; readonly keys: ReadonlyMap<string, number>; readonly unread: number }
    | undefined
  > {
    const { state } = this.#options;
    const since = from === '' ? undefined : earlier(from, OVERLAP_MS);
    /** Ids by key: of two findings about the same each has its own. */
    const keys = new Map<string, number>();
    let position = from;
    let unread = 0;
    let count: number | undefined;
    for (let skip = 0; ; ) {
      this.#checkTime();
      const page = await this.#source.details(triple, since, skip);
      if (count !== undefined && page.count !== undefined && page.count !== count) return undefined;
      count = page.count ?? count;
      await state.transaction(async (inside) => {
        for (const record of page.records) {
          const finding = this.#readRecord(record, triple);
          if (finding === undefined) {
            unread++;
            continue;
          }
          const key = keyAmong(keys, finding);
          keys.set(key, finding.id);
          await this.#intake.take(inside, key, finding, JSON.stringify(record));
          position = later(position, instantOf(finding.updatedAt));
        }
      });
      skip += page.records.length;
      if (page.records.length === 0 || (count !== undefined && skip >= count)) {
        if (count !== undefined && skip < count) throw new ListError(`${skip} of ${count} findings came`);
        return { position, keys, unread };
      }
    }
  }

  #readRecord(record: unknown, triple: NamedTriple) {
    try {
      return readRecord(record, triple);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      this.#fault(`${triple.findingType} in ${triple.environmentName}: ${error.message}`);
      return undefined;
    }
  }

  /** Finds the findings of a list that are open at the host and missing in the list. */
  async #missing(triple: NamedTriple, keys: ReadonlyMap<string, number>): Promise<readonly KnownItem[]> {
    const known = await this.#options.state.itemsOf(triple);
    return known.filter(({ key, status }) => !keys.has(key) && !isOver(status));
  }

  /** A host that refused in this run is not asked again before the next one. */
  async #deliver(): Promise<void> {
    if (this.#delivery.reason !== undefined) return;
    const { settings, state, platform, signal } = this.#options;
    const until = this.#begun + settings.runBudgetMs;
    const { reason, ...counts } = await deliverWaiting({
      ...{ settings, state, platform, signal, until },
      now: this.#now,
      // The service may be away while the host platform is there.
      textsOf: async (batch) => {
        const texts = await this.#must('the texts of findings', () =>
          this.#texts.of(batch, Number.POSITIVE_INFINITY),
        );
        if (!this.#texts.hasAll(batch)) await state.setMeta(lackingName(batch), 'lacking');
        return texts;
      },
    });
    this.#delivery.delivered += counts.delivered;
    this.#delivery.duplicates += counts.duplicates;
    this.#delivery.rejected += counts.rejected;
    this.#delivery.reason = reason;
    if (reason !== undefined) this.#fault(reason);
  }

  #checkTime(): void {
    this.#options.signal?.throwIfAborted();
    if (this.#now() - this.#begun >= this.#options.settings.runBudgetMs)
      throw new StopReading('the time of the run is over: the rest is read by the next one');
  }

  #fault(message: string): void {
    this.#faults.push(message);
    this.#options.log.warn(message);
  }

  /** A run is not possible without it. */
  async #must<Result>(
    what: string,
    work: () => Promise<Result>,
    passed: new (message: string) => Error = StopReading as never,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (error instanceof StopReading || error instanceof SettingsError || error instanceof passed)
        throw error;
      throw new StopReading(`${what} could not be read: ${adviceFor(error)}`, true);
    }
  }

  /** Continues with the next one, except for errors that concern all. */
  async #may(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (error instanceof StopReading) throw error;
      const fault = faultOf(error);
      const message = `${what} could not be read: ${adviceFor(error)}`;
      if (fault === 'credentials') throw new StopReading(message, true);
      if (fault === 'rate') throw new StopReading(message);
      this.#fault(message);
    }
  }
}

/** In words; the status where it says all. */
function whyOver({ status, changed_by }: UnifiedFindingRow): string {
  if (changed_by === 'rules') return `${status}: the rules changed (an update), nothing was repaired`;
  if (changed_by === 'zones') return `${status}: a zone was edited, nothing was repaired`;
  if (changed_by === 'several')
    return `${status}: several of data, rules and zones changed together, it may not be repaired`;
  return status;
}

/** Two findings of one list with one subject: the later one is distinguished by its number. */
function keyAmong(seen: ReadonlyMap<string, number>, finding: FindingFacts): string {
  const key = keyOf(finding);
  const other = seen.get(key);
  return other === undefined || other === finding.id ? key : keyOf(finding, finding.id);
}

const idOf = ({ environmentId, zoneId, findingType }: Triple): string =>
  `${environmentId}:${zoneId}:${findingType}`;

const lackingName = (triple: Triple): string => `lacking:${idOf(triple)}`;

const isSameTriple = (a: Triple, b: Triple): boolean => idOf(a) === idOf(b);

const plural = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`);

/** A list that does not hold together. */
class ListError extends Error {
  override readonly name = 'ListError';
}

function adviceFor(error: unknown): string {
  if (error instanceof ListError) return error.message;
  const message = messageOf(error);
  if (!(error instanceof ApiError)) return message;
  switch (error.status) {
    case 401:
      return `${message}. Give the connector a new token, and look at the clock of this machine: signatures hold for an hour`;
    case 403:
      return `${message}. The account of the token lacks a permission`;
    case 429:
      return `${message}. The rest is left to the next run`;
    default:
      return message;
  }
}
