/** The parts of the service that the listener of Bolt needs. */
import type { Edition } from '@clew/api';
import type { AnswerTyped, SignIn, TrustedProxies } from '@clew/common';
import type { Logger } from 'pino';
import type { RateLimiter } from '../http/rateLimit.ts';
import type { WritesRefused } from '../http/upgrades.ts';
import type { Metrics } from '../system/metrics/metrics.ts';
import type { ConnectionTimes } from './connection.ts';
import type { OpenRowLimits } from './openRows.ts';

export interface BoltOptions {
  readonly host: string;
  /** With 0, the system chooses a free port. */
  readonly port: number;
  readonly version: string;
  readonly edition: Edition;
  /** Maximum number of concurrent connections. */
  readonly connections: number;
  readonly trustedProxies: TrustedProxies;
  readonly publicUrl?: string;
  readonly signIn: SignIn;
  readonly answer: AnswerTyped;
  /** The limiter of the HTTP server: queries over all protocols count together. */
  readonly limiter: RateLimiter;
  readonly writesRefused?: WritesRefused;
  readonly metrics: Pick<Metrics, 'bolt'>;
  readonly log: Logger;
  /** Times after which connections are ended; tests use shorter ones. */
  readonly times?: ConnectionTimes;
  /** Limits for bytes of open rows; tests use lower ones. */
  readonly openRows?: OpenRowLimits;
}
