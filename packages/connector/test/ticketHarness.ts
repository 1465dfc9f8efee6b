/** Runs a ticket connector against started plans and an in-memory system of work, with a state on disk. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunReport } from '../src/connector/runReport.ts';
import { readSettings } from '../src/connector/settings.ts';
import { runTickets } from '../src/connector/ticketRun.ts';
import type { WorkSettings } from '../src/platforms/settings.ts';
import { ConnectorState } from '../src/state/connectorState.ts';
import { openFile, type SqlEngine } from '../src/state/sqlEngine.ts';
import type { PostponedChange } from '../src/state/ticketState.ts';
import { openWorkSystem } from '../src/tickets/systems/index.ts';
import { type FakePlan, FakePlans } from './fakePlans.ts';
import { killedAfter } from './killedAfter.ts';
import type { ModelSystem, ModelTicket, ModelTracker } from './trackers/modelSystem.ts';

export class TicketHarness<System extends ModelSystem> implements AsyncDisposable {
  readonly service = new FakePlans();
  readonly system: System;
  readonly directory: string;
  /** Milliseconds since the epoch. */
  now = Date.parse('2026-06-01T00:00:00Z');
  readonly messages: string[] = [];
  settings: Record<string, unknown> = {};
  /** Other settings of the system of work. */
  platform: Record<string, unknown> = {};

  readonly #engine: SqlEngine;

  private constructor(system: System, directory: string, engine: SqlEngine) {
    this.system = system;
    this.directory = directory;
    this.#engine = engine;
  }

  static async make<System extends ModelSystem>(system: System): Promise<TicketHarness<System>> {
    await system.start();
    const directory = await mkdtemp(join(tmpdir(), 'clew-tickets-'));
    const engine = openFile(join(directory, 'connector.db'));
    // These tests write thousands of times, and none of them tests a power failure.
    await engine.run('pragma synchronous = off');
    return new TicketHarness(system, directory, engine);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.system[Symbol.asyncDispose]();
    await this.#engine.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Runs like a separate process; uncommitted changes are lost. */
  async run(
    wrap: (engine: SqlEngine) => SqlEngine = (engine) => engine,
    signal?: AbortSignal,
  ): Promise<RunReport> {
    const engine = this.#engine;
    this.system.waitUntil(this.now);
    this.service.waitUntil(this.now);
    const platform = { ...this.system.settings(this.system.url), ...this.platform } as WorkSettings;
    const system = openWorkSystem(platform);
    try {
      return await runTickets({
        settings: readSettings({
          ...{ server: 'https://clew.example/', tokenId: 'id', tokenKey: 'service-secret', platform },
          ...this.settings,
        }),
        client: this.service.client(),
        state: await ConnectorState.open(wrap(engine), 'https://clew.example', 'file'),
        ...{ platform: system, signal },
        log: { info: (text) => this.messages.push(text), warn: (text) => this.messages.push(text) },
        now: () => this.now,
        pause: async () => {},
      });
    } finally {
      await system.close();
    }
  }

  /**
   * Runs after each step of a story, and settles this number of times. The run after step `at` is killed after this number of
   * statements. @returns whether it was killed before its end
   */
  async play(
    story: readonly ((harness: this) => void)[],
    { at, statements, settles }: { at: number; statements: number; settles: number },
  ): Promise<boolean> {
    let isKilled = false;
    for (const [step, happen] of story.entries()) {
      happen(this);
      await this.run(step === at ? (engine) => killedAfter(engine, statements) : undefined).catch((error) => {
        if (step !== at || error.message !== 'killed') throw error;
        isKilled = true;
      });
      for (let count = 0; count < settles; count++) await this.settle();
    }
    return isKilled;
  }

  /** Runs at intervals of hours until nothing waits. */
  async settle(): Promise<RunReport> {
    for (let round = 0; ; round++) {
      this.now += 25 * 3_600_000;
      const report = await this.run();
      if (report.health.waiting === 0 || round === 6) return report;
    }
  }

  /** Gets the waiting changes that `connector status` shows. */
  postponed(): Promise<readonly PostponedChange[]> {
    return ConnectorState.look(this.#engine).tickets.postponed();
  }

  /** Gets the changes that `connector status` shows as set aside. */
  rejected() {
    return ConnectorState.look(this.#engine).rejectedItems();
  }

  /** All logged or stored text, without the requests themselves. */
  async written(): Promise<string> {
    const files = ['connector.db', 'connector.db-wal'].map((name) => join(this.directory, name));
    const state = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')));
    return [...this.messages, ...state].join('\n');
  }
}

/** Adds a plan with a ticket for each change. @returns also the tickets, in the order of the titles */
export async function beginPlan<const Titles extends readonly string[]>(
  harness: TicketHarness<ModelTracker>,
  ...titles: Titles
): Promise<{
  readonly plan: FakePlan;
  readonly tickets: { readonly [At in keyof Titles]: ModelTicket };
}> {
  const plan = harness.service.add('Plan', ...titles);
  await harness.settle();
  const { tickets } = harness.system;
  if (tickets.length !== titles.length) throw new Error('a ticket of each change is expected');
  return { plan, tickets: [...tickets] as never };
}

/** A run that was stopped may have ended before. */
export const stopped = (run: Promise<RunReport>): Promise<unknown> =>
  run.catch((error: Error) => {
    if (error.message !== 'stopped') throw error;
  });
