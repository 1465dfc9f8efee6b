/** Limits for paged lists of other systems: an infinite list would never let a run end. */
import { laterOf } from './instants.ts';
import type { TicketPage, TicketReport, Turn } from './workSystem.ts';

/** Pages of one list. */
export const MAX_PAGES = 100;

/** The list continues, but is not read further now. */
export class UnreadPages extends Error {
  override readonly name = 'UnreadPages';
}

export class PageLimit {
  readonly #what: string;
  readonly #turn: Pick<Turn, 'isOver'>;
  readonly #seen = new Set<string>();

  /** @param what name of the list, in the plural */
  constructor(what: string, turn: Pick<Turn, 'isOver'>) {
    this.#what = what;
    this.#turn = turn;
  }

  /**
   * Called before each page. @param page the query that requests it
   * @throws UnreadPages after the last allowed page, and when the time limit of the run is reached; Error for a page that was
   * already read
   */
  next(page: string): void {
    if (this.#seen.has(page)) throw new Error(`the list of ${this.#what} contains the same page twice`);
    if (this.#seen.size >= MAX_PAGES)
      throw new UnreadPages(`the list of ${this.#what} has more than ${MAX_PAGES} pages`);
    if (this.#seen.size > 0 && this.#turn.isOver())
      throw new UnreadPages(`run time limit reached while the ${this.#what} were read`);
    this.#seen.add(page);
  }
}

/**
 * Reads reports in the order of the last changes of their tickets. If the pages cannot all be read, the next run continues after the
 * last ticket.
 */
export async function readReports(
  since: string | undefined,
  reports: AsyncIterable<readonly [report: TicketReport, changedAt: string | undefined]>,
): Promise<TicketPage> {
  const tickets: TicketReport[] = [];
  let next = since ?? '';
  try {
    for await (const [report, changedAt] of reports) {
      tickets.push(report);
      next = laterOf(next, changedAt ?? '');
    }
  } catch (error) {
    if (!(error instanceof UnreadPages) || tickets.length === 0) throw error;
  }
  return { tickets, next };
}

/** @returns the page number in `Link: <...>; rel="next"` (RFC 8288); the rest of the header is ignored */
export function nextPageOf(headers: Headers): number | undefined {
  for (const [, target = '', rest = ''] of (headers.get('link') ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (!/;\s*rel="?next"?/i.test(rest)) continue;
    const page = Number(/[?&]page=(\d{1,9})(?:&|$)/.exec(target)?.[1]);
    return page > 0 ? page : undefined;
  }
  return undefined;
}
