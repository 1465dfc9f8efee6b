/** The parts of the service that the HTTP server requires. */
import type { Edition, RouteContract } from '@clew/api';
import type { Authenticator, HandlerTable, TrustedProxies } from '@clew/common';
import type { Logger } from 'pino';
import type { Pages } from '../pages/pages.ts';
import type { Metrics } from '../system/metrics/metrics.ts';
import type { ShownGenerations } from './generationWait.ts';
import type { RateLimiter } from './rateLimit.ts';
import type { WritesRefused } from './upgrades.ts';

export interface HttpLimits {
  /** Maximum body of a streaming route, as sent and decoded. */
  readonly uploadBytes: number;
  /** Maximum ratio of decoded to sent bytes. */
  readonly archiveRatio: number;
  readonly unprovenBytes: number;
  readonly freeBytes: number;
  readonly connections: number;
}

export interface HttpOptions {
  readonly handlers: HandlerTable;
  readonly authenticator: Authenticator;
  readonly log: Logger;
  /** The source of answers. */
  readonly generations?: ShownGenerations;
  readonly writesRefused?: WritesRefused;
  readonly metrics: Metrics;
  readonly edition: Edition;
  readonly rateLimit: number;
  /** A limiter that shares its counts with other processes; default: a local one. */
  readonly limiter?: RateLimiter;
  readonly bypassLimits: boolean;
  readonly publicUrl?: string;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: TrustedProxies;
  readonly originalTargetHeader?: string;
  readonly limits: HttpLimits;
  /** Directory for buffered bodies until their signature is verified. */
  readonly unprovenDirectory: string;
  /** The web interface, if it was built. */
  readonly pages?: Pages;
  /** The routes to serve; tests replace them. */
  readonly contracts?: readonly RouteContract[];
  /** For tests: whether answers that do not match their contract become errors. */
  readonly checkAnswers?: boolean;
}
