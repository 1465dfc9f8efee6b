/**
 * The `Prefer: wait=N, generation=N` header: how long a client waits, and for which published graph (RFC 7240,
 * `docs/reference/api.md#prefer`). Lists are parsed leniently (`respond-async, wait=10`), and values of these keys strictly.
 */
import { apiError } from '@clew/common';

/** Time limit of a request that gives none. */
export const DEFAULT_WAIT_MS = 30_000;
/** Maximum of platform timers: a longer wait is reduced to it, and the answer states this. */
const MAX_WAIT_SECONDS = 2_000_000;
export const MAX_WAIT_MS = MAX_WAIT_SECONDS * 1000;

export interface Wait {
  /** Infinity if limits are bypassed. */
  readonly milliseconds: number;
  /** Value of the header `Preference-Applied`, if a preference was applied. */
  readonly applied?: string;
  /** The answer comes from this generation, or a newer one. */
  readonly generation?: number;
}

const DEFAULT_WAIT: Wait = { milliseconds: DEFAULT_WAIT_MS };

/** @throws ApiError 400 `malformedPreferHeader` */
export function parsePrefer(header: string | undefined, bypassAllowed: boolean): Wait {
  if (header === undefined) return DEFAULT_WAIT;
  const wait = parseWait(header, bypassAllowed);
  const generation = parseGeneration(header);
  if (generation === undefined) return wait;
  const applied = [wait.applied, `generation=${generation}`].filter((part) => part !== undefined).join(', ');
  return { ...wait, applied, generation };
}

function parseGeneration(header: string): number | undefined {
  const value = preferenceOf(header, 'generation');
  if (value === undefined) return undefined;
  const generation = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(generation))
    throw malformed(`parsing "${value}": no number of a generation`);
  return generation;
}

function parseWait(header: string, bypassAllowed: boolean): Wait {
  const value = preferenceOf(header, 'wait');
  // A server may ignore unknown preferences (RFC 7240, section 2).
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

function preferenceOf(header: string, name: string): string | undefined {
  for (const part of header.split(',')) {
    const [key, ...rest] = part.split('=');
    if (key.trim().toLowerCase() === name) return rest.join('=').trim();
  }
  return undefined;
}

const malformed = (reason: string) => apiError('malformedPreferHeader', { reason });
