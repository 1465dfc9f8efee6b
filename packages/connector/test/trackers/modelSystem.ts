/** An in-memory system of work that enforces its public documentation, with faults controlled by the test. */
import type { WorkSettings } from '../../src/platforms/settings.ts';
import { type Answer, type Received, Receiver } from '../receiver.ts';

export interface ModelTicket {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  isClosed: boolean;
  readonly comments: string[];
  readonly labels: readonly string[];
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
}

/** A fault of one request: a status without an effect, no answer, or the effect without an answer. */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | 'lost'
  | 'taken'
  | 'garbage';

export abstract class ModelSystem implements AsyncDisposable {
  readonly violations: string[] = [];
  /** Called for each request with its number, from 0. */
  fault: (number: number, request: Received) => Fault | undefined = () => undefined;
  #receiver: Receiver | undefined;
  #count = 0;
  #clock = Date.parse('2026-06-01T00:00:00Z');

  abstract settings(url: string): WorkSettings;
  /** Secrets that must not appear elsewhere. */
  abstract readonly secrets: readonly string[];
  abstract answer(request: Received): Answer;

  async start(): Promise<void> {
    this.#receiver = await Receiver.start((request) => {
      const fault = this.fault(this.#count++, request);
      if (fault === 'lost') return { status: 0 };
      if (typeof fault === 'object') return { body: { message: 'a fault' }, ...fault };
      const answer = this.answer(request);
      if (fault === 'taken') return { status: 0 };
      return fault === 'garbage' ? { ...answer, body: '<html>' } : answer;
    });
  }

  get url(): string {
    return this.#receiver?.url ?? '';
  }

  get requests(): readonly Received[] {
    return this.#receiver?.requests ?? [];
  }

  demand(condition: boolean, text: string): void {
    if (!condition) this.violations.push(text);
  }

  /** A time later than all before. */
  tick(): string {
    this.#clock += 1000;
    return new Date(this.#clock).toISOString().replace('.000Z', 'Z');
  }

  get instant(): number {
    return this.#clock;
  }

  /** Advances the clock. @param instant milliseconds since the epoch */
  waitUntil(instant: number): void {
    this.#clock = Math.max(this.#clock, Math.ceil(instant / 1000) * 1000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver?.[Symbol.asyncDispose]();
  }
}

/** A system whose tickets users close and open. */
export abstract class ModelTracker extends ModelSystem {
  readonly tickets: ModelTicket[] = [];
  /** The repository or project was renamed, or the account may no longer see it: the tickets are not found. */
  isAway: 'renamed' | 'hidden' | undefined;

  abstract close(ticket: ModelTicket, by: string): void;
  /** Closes the ticket as work that no one will do. */
  abstract dismiss(ticket: ModelTicket): void;
  abstract open(ticket: ModelTicket): void;

  /** Delay until the index of lists and searches shows a new ticket. */
  abstract readonly indexLagMs: number;

  isIndexed({ madeAt }: ModelTicket): boolean {
    return this.instant - madeAt >= this.indexLagMs;
  }
}
