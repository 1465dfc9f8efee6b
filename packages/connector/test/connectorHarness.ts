/** Runs of a connector against a service and a host platform in memory, with a state on disk. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runConnector } from '../src/connector/run.ts';
import type { RunReport } from '../src/connector/runReport.ts';
import { readSettings } from '../src/connector/settings.ts';
import type { Alert } from '../src/findings/alerts.ts';
import type { HostPlatform, Outcome } from '../src/platforms/platform.ts';
import { ConnectorState } from '../src/state/connectorState.ts';
import { openFile, type SqlEngine } from '../src/state/sqlEngine.ts';
import { FakeService } from './fakeService.ts';

/** Accepts alerts like platforms, and records them. */
export class FakePlatform implements HostPlatform {
  readonly name = 'fake';
  readonly alerts: Alert[] = [];
  /** Number of deliveries by event id. */
  readonly times = new Map<string, number>();
  /** Open findings of this host, keyed by finding key. */
  readonly open = new Map<string, number>();
  fails: ((alert: Alert) => Outcome | Error | undefined) | undefined;

  async test(): Promise<void> {}
  async close(): Promise<void> {}

  async deliver(alert: Alert): Promise<readonly Outcome[]> {
    const failure = this.fails?.(alert);
    if (failure instanceof Error) throw failure;
    if (failure !== undefined) return alert.events.map(() => failure);
    this.alerts.push(alert);
    return alert.events.map(({ item }) => {
      const times = (this.times.get(item.eventId) ?? 0) + 1;
      this.times.set(item.eventId, times);
      if (times > 1) return { result: 'duplicate' };
      if (item.kind === 'close') this.open.delete(item.key);
      else this.open.set(item.key, item.payload.finding.id);
      return { result: 'delivered', hostId: item.eventId };
    });
  }

  get kinds(): string[] {
    return this.alerts.flatMap((alert) =>
      alert.events.map(({ item }) => `${item.kind} ${item.payload.finding.id}`),
    );
  }
}

export class ConnectorHarness implements AsyncDisposable {
  readonly service = new FakeService();
  readonly platform = new FakePlatform();
  readonly directory: string;
  /** Milliseconds since the epoch. */
  now = Date.parse('2026-06-01T00:00:00Z');
  readonly messages: string[] = [];
  settings: Record<string, unknown> = {};

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async make(): Promise<ConnectorHarness> {
    return new ConnectorHarness(await mkdtemp(join(tmpdir(), 'clew-connector-')));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  get file(): string {
    return join(this.directory, 'connector.db');
  }

  /** Runs like a separate process: opens and closes the state. */
  async run(wrap: (engine: SqlEngine) => SqlEngine = (engine) => engine): Promise<RunReport> {
    const engine = openFile(this.file);
    try {
      const state = await ConnectorState.open(wrap(engine), 'https://clew.example', 'file');
      return await runConnector({
        settings: readSettings({
          ...{ server: 'https://clew.example/', tokenId: 'id', tokenKey: 'key' },
          platform: { type: 'jsonl', directory: this.directory },
          ...this.settings,
        }),
        client: this.service.client(),
        state,
        platform: this.platform,
        log: { info: (text) => this.messages.push(text), warn: (text) => this.messages.push(text) },
        now: () => this.now,
      });
    } finally {
      await engine.close();
    }
  }

  later(milliseconds: number): void {
    this.now += milliseconds;
  }
}
