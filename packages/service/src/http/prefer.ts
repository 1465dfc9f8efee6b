/**
 * The `Prefer: wait=N` header: how long a client is willing to wait (RFC 7240, `docs/reference/api.md#prefer`).
 * The list form is read leniently (`respond-async, wait=10`), everything else of the `wait` key strictly.
 */
import { apiError } from '../operation/apiError.ts';

const DEFAULT_WAIT_SECONDS = 30;
/** Longer than any timer of the platform can run: a longer wait is cut to it, and the answer says so. */
const MAX_WAIT_SECONDS = 2_000_000;

export interface Wait {
  /** Infinity when limits are bypassed. */
  readonly milliseconds: number;
  /** Value of the header `Preference-Applied`, when a preference was. */
  readonly applied?: string;
}

const DEFAULT_WAIT: Wait = { milliseconds: DEFAULT_WAIT_SECONDS * 1000 };

/** @throws ApiError 400 `malformedPreferHeader` */
export function parsePrefer(header: string | undefined, bypassAllowed: boolean): Wait {
  if (header === undefined) return DEFAULT_WAIT;
  const value = waitValue(header);
  // Of another preference that this service does not know nothing is promised (RFC 7240, section 2).
  if (value === undefined) return DEFAULT_WAIT;
  if (!/^[+-]?\d+$/.test(value)) throw malformed(`parsing "${value}": invalid syntax`);
  const seconds = Number(value);
  if (seconds < -1) throw malformed('incorrect bypass limit value');
  if (seconds === -1) {
    if (!bypassAllowed) throw malformed('failed to bypass limits: feature disabled');
    return { milliseconds: Number.POSITIVE_INFINITY, applied: 'wait=-1; bypass=enabled' };
  }
  if (seconds === 0) return DEFAULT_WAIT;
  const capped = Math.min(seconds, MAX_WAIT_SECONDS);
  return { milliseconds: capped * 1000, applied: `wait=${capped.toFixed(2)}` };
}

function waitValue(header: string): string | undefined {
  for (const part of header.split(',')) {
    const [key, ...rest] = part.split('=');
    if (key.trim().toLowerCase() === 'wait') return rest.join('=').trim();
  }
  return undefined;
}

const malformed = (reason: string) => apiError('malformedPreferHeader', { reason });
