/**
 * Walks through the pages of a list. Clients page by offset (`skip`), so if a finding is archived or created between two pages, the rest
 * would shift, and a finding would be skipped or repeated. So a walk reads the findings that were current when its first page was
 * requested. That instant is remembered here for a while, keyed by caller and query; a replica that does not have it shows the current
 * state.
 */
import { createHash } from 'node:crypto';
import type { RequestContext } from '@clew/common';

/** Maximum pause between two pages of one walk. */
const IDLE_MS = 15 * 60_000;
const MAX_WALKS = 10_000;

interface Walk {
  readonly instant: string;
  readonly seenAt: number;
}

export class Walks {
  /** Ordered by last use, oldest first. */
  readonly #walks = new Map<string, Walk>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * @param skip 0 starts a new walk
   * @param present returns the instant of the newest publication
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

/** @returns the key of a walk: caller, program and query without paging */
export function walkKey(context: RequestContext, path: string, rawQuery: URLSearchParams): string {
  const question = [...rawQuery].filter(([name]) => name !== 'skip' && name !== 'limit');
  const { principal, headers, clientAddress } = context;
  const caller =
    principal.kind === 'user'
      ? [principal.userId, principal.tokenId, principal.sessionId, principal.viewedBy?.viewId]
      : principal.kind === 'client'
        ? [principal.clientId]
        : [];
  const parts = [caller, headers['user-agent'], clientAddress, path, question];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
