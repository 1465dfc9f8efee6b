/** Shares the service, the state, the time limit and the handling of errors among the parts of one run of the connector. */
import { ApiError, type ClewClient } from '@clew/client';
import { messageOf } from '../actions/faults.ts';
import type { Destination, HostPlatform } from '../platforms/platform.ts';
import { redactorOf } from '../platforms/secrets.ts';
import type { ConnectorState } from '../state/connectorState.ts';
import type { WorkSystem } from '../tickets/workSystem.ts';
import type { ConnectorLog } from './connectorLog.ts';
import { Intake } from './intake.ts';
import { type ConnectorSettings, SettingsError } from './settings.ts';
import { FindingSource, faultOf } from './source.ts';
import { TextShelf } from './textShelf.ts';

export interface RunOptions<To extends Destination = HostPlatform | WorkSystem> {
  readonly settings: ConnectorSettings;
  readonly client: ClewClient;
  readonly state: ConnectorState;
  readonly platform: To;
  readonly log: ConnectorLog;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

/** Stops the reading of a run, with the reason. */
export class StopReading extends Error {
  override readonly name = 'StopReading';
  readonly isFatal: boolean;

  constructor(reason: string, isFatal = false) {
    super(reason);
    this.isFatal = isFatal;
  }
}

/** A list whose pages are inconsistent. */
export class ListError extends Error {
  override readonly name = 'ListError';
}

/** The common part of runs for findings and runs for tickets. */
export class RunBase {
  readonly settings: ConnectorSettings;
  readonly state: ConnectorState;
  readonly log: ConnectorLog;
  readonly signal: AbortSignal | undefined;
  readonly now: () => number;
  /** Milliseconds since the epoch; nothing starts after it. */
  readonly until: number;
  /** Errors, one line each. */
  readonly faults: string[] = [];
  readonly #redact: (text: string) => string;

  constructor({ settings, state, log, signal, now = Date.now }: Omit<RunOptions, 'client' | 'platform'>) {
    this.settings = settings;
    this.state = state;
    this.log = log;
    this.signal = signal;
    this.now = now;
    this.until = now() + settings.runBudgetMs;
    this.#redact = redactorOf(settings);
  }

  get isOver(): boolean {
    return this.now() >= this.until;
  }

  /** @throws StopReading if the time limit of the run is reached, the reason of the signal */
  checkTime(): void {
    this.signal?.throwIfAborted();
    if (this.isOver) throw new StopReading('run time limit reached; the next run reads the rest');
  }

  fault(text: string): void {
    const message = this.#redact(text);
    this.faults.push(message);
    this.log.warn(message);
  }

  /** Runs work that the run cannot do without. */
  async must<Result>(
    what: string,
    work: () => Promise<Result>,
    passed: new (message: string) => Error = StopReading as never,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.signal?.throwIfAborted();
      if (error instanceof StopReading || error instanceof SettingsError || error instanceof passed)
        throw error;
      throw new StopReading(`${what} could not be read: ${adviceFor(error)}`, true);
    }
  }

  /** Runs work and continues after errors, except for errors that affect the whole run. */
  async may(what: string, work: () => Promise<void>, done: 'read' | 'set' = 'read'): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.signal?.throwIfAborted();
      if (error instanceof StopReading) throw error;
      const fault = faultOf(error);
      const message = `${what} could not be ${done}: ${adviceFor(error)}`;
      if (fault === 'credentials') throw new StopReading(message, true);
      if (fault === 'rate') throw new StopReading(message);
      this.fault(message);
    }
  }
}

export class RunParts extends RunBase {
  readonly platform: HostPlatform;
  readonly source: FindingSource;
  readonly intake: Intake;
  readonly texts: TextShelf;

  constructor(options: RunOptions<HostPlatform>) {
    super(options);
    const { state, signal, now } = this;
    this.platform = options.platform;
    this.source = new FindingSource(options.client, signal);
    this.intake = new Intake(this.settings, now);
    this.texts = new TextShelf({
      ...{ source: this.source, state, signal, now },
      onFault: (message) => this.fault(message),
    });
  }
}

/** Deletes the record of deliveries, once each time that the setting is switched on. */
export async function resetOnce({ settings, state, log }: RunBase): Promise<void> {
  const done = (await state.meta('reset')) === 'done';
  if (done === settings.resetState) return;
  await state.transaction(async (inside) => {
    if (settings.resetState) await inside.reset();
    await inside.setMeta('reset', settings.resetState ? 'done' : '');
  });
  if (settings.resetState) log.info('the state was reset: everything is delivered again');
}

function adviceFor(error: unknown): string {
  if (error instanceof ListError) return error.message;
  const message = messageOf(error);
  if (!(error instanceof ApiError)) return message;
  switch (error.status) {
    case 401:
      return `${message}. Give the connector a new token, and check the clock of this machine: signatures are valid for an hour`;
    case 403:
      return `${message}. The account of the token lacks a permission`;
    case 429:
      return `${message}. The next run continues with the rest`;
    default:
      return message;
  }
}
