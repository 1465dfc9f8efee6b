/** What the HTTP server needs from the rest of the service. */
import type { Edition, RouteContract } from '@clew/api';
import type { Logger } from 'pino';
import type { Authenticator } from '../operation/authentication.ts';
import type { TrustedProxies } from '../operation/clientAddress.ts';
import type { HandlerTable } from '../operation/handler.ts';
import type { Metrics } from '../system/metrics.ts';

export interface HttpOptions {
  readonly handlers: HandlerTable;
  readonly authenticator: Authenticator;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly edition: Edition;
  readonly rateLimit: number;
  readonly bypassLimits: boolean;
  readonly publicUrl?: string;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: TrustedProxies;
  readonly originalTargetHeader?: string;
  readonly uploadBytes: number;
  readonly decodedBytes: number;
  /** The table to serve; tests bring their own. */
  readonly contracts?: readonly RouteContract[];
  /** Answers that do not fit their contract become errors: for tests. */
  readonly checkAnswers?: boolean;
}
