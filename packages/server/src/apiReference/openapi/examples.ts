/** A request and its answer for every operation, from a real service (`npm run examples` writes them). */
import { readFileSync } from 'node:fs';

export interface Example {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly status: number;
  /** Absent if the answer is not JSON. */
  readonly answer?: unknown;
}

export const EXAMPLES_FILE = new URL('./examples.json', import.meta.url);

/** Operations that succeed only after an ingest error, after a decision in a browser, or never. */
export const WITHOUT_EXAMPLE: ReadonlySet<string> = new Set([
  ...['RetryFileUploadJob', 'DeleteCustomNode', 'ExchangeOAuthToken'],
]);

/** Reads the examples, keyed by operation id. */
export function readExamples(): Readonly<Record<string, Example>> {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8'));
}
