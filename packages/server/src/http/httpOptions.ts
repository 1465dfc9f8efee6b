/** The parts of the service that the HTTP server needs. */
import type { Edition, RouteContract } from '@clew/api';
import type { Authenticator, HandlerTable, TrustedProxies } from '@clew/common';
import type { Logger } from 'pino';
import type { Pages } from '../pages/pages.ts';
import type { Metrics } from '../system/metrics/metrics.ts';
import type { ShownGenerations } from './generationWait.ts';
import type { RateLimiter } from './rateLimit.ts';

export interface HttpLimits {
  /** Largest body of a streaming route, as sent and decoded. */
  readonly uploadBytes: number;
  /** Most decoded bytes for each byte of a body. */
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
  readonly metrics: Metrics;
  readonly edition: Edition;
  readonly rateLimit: number;
  /** One that shares its counts with other processes; default: one of this server alone. */
  readonly limiter?: RateLimiter;
  readonly bypassLimits: boolean;
  readonly publicUrl?: string;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: TrustedProxies;
  readonly originalTargetHeader?: string;
  readonly limits: HttpLimits;
  /** Directory for bodies that are held until their signature is checked. */
  readonly unprovenDirectory: string;
  /** The web interface, where it was built. */
  readonly pages?: Pages;
  /** The table to serve; tests bring their own. */
  readonly contracts?: readonly RouteContract[];
  /** Answers that do not fit their contract become errors: for tests. */
  readonly checkAnswers?: boolean;
}
