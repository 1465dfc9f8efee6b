/**
 * Walks through the pages of a list. Clients count their way (`skip`), so a finding that is archived or made between
 * two pages would move the rest, and one would be skipped or repeated. So a walk looks at the findings that were
 * current when its first page was asked for. Which instant that was is remembered here, for a while, by who walks where;
 * a replica that does not remember shows the present.
 */
import { createHash } from 'node:crypto';
import type { RequestContext } from '@clew/common';

/** Slowest step between two pages that still belongs to a walk. */
const IDLE_MS = 15 * 60_000;
const MAX_WALKS = 10_000;

interface Walk {
  readonly instant: string;
  readonly seenAt: number;
}

export class Walks {
  /** In order of last use, oldest first. */
  readonly #walks = new Map<string, Walk>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * @param skip 0 begins a new walk
   * @param present gives the instant of the newest publication
   * @returns the instant whose findings the page shows
   */
  async instantOf(key: string, skip: number, present: () => Promise<string>): Promise<string> {
    const known = this.#walks.get(key);
    const goesOn = skip > 0 && known !== undefined && this.#now() - known.seenAt < IDLE_MS;
    const instant = goesOn ? known.instant : await present();
    this.#walks.delete(key);
    this.#walks.set(key, { instant, seenAt: this.#now() });
    const [oldest] = this.#walks.keys();
    if (this.#walks.size > MAX_WALKS && oldest !== undefined) this.#walks.delete(oldest);
    return instant;
  }
}

/** @returns a key of the walk: the same caller with the same program and the same question, whatever the page. */
export function walkKey(context: RequestContext, path: string, rawQuery: URLSearchParams): string {
  const question = [...rawQuery].filter(([name]) => name !== 'skip' && name !== 'limit');
  const { principal, headers, clientAddress } = context;
  const caller =
    principal.kind === 'user'
      ? [principal.userId, principal.tokenId, principal.sessionId]
      : principal.kind === 'client'
        ? [principal.clientId]
        : [];
  const parts = [caller, headers['user-agent'], clientAddress, path, question];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
