/** The parts of the service that the listener of Bolt needs. */
import type { Edition } from '@clew/api';
import type { AnswerTyped, SignIn, TrustedProxies } from '@clew/common';
import type { Logger } from 'pino';
import type { RateLimiter } from '../http/rateLimit.ts';
import type { Metrics } from '../system/metrics/metrics.ts';
import type { ConnectionTimes } from './connection.ts';
import type { OpenRowLimits } from './openRows.ts';

export interface BoltOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly version: string;
  readonly edition: Edition;
  /** Connections at once. */
  readonly connections: number;
  readonly trustedProxies: TrustedProxies;
  readonly publicUrl?: string;
  readonly signIn: SignIn;
  readonly answer: AnswerTyped;
  /** The one of the HTTP server: queries count wherever they come from. */
  readonly limiter: RateLimiter;
  readonly metrics: Pick<Metrics, 'bolt'>;
  readonly log: Logger;
  /** Times after which connections are ended; tests take shorter ones. */
  readonly times?: ConnectionTimes;
  /** Bytes of open rows; tests take fewer. */
  readonly openRows?: OpenRowLimits;
}
