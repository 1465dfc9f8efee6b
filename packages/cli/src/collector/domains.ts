/**
 * The domains that a collector reads: the one of its controllers, or all of a forest. Each has its own controllers, change numbers and
 * uploaded ids, which outlast a new search for the domains.
 */
import { type Controller, DomainChanges, findForest, NO_CONTROLLER, signInAtOne } from '@clew/collect';
import type { Source } from './collectSource.ts';
import type { RunLog } from './runLog.ts';

/** A domain that is read, with the state for its changes. */
export interface FollowedDomain {
  /** Name in upper case; '' if the collector reads only one domain. */
  readonly name: string;
  /** '' if unknown before reading. */
  readonly sid: string;
  /** Whether the account belongs to it. */
  readonly isHome: boolean;
  readonly source: Source;
  readonly changes: DomainChanges;
}

export interface UnreadDomain {
  readonly domain: string;
  readonly sid: string;
  readonly reason: string;
}

export interface FoundDomains {
  /** The domain of the account first. */
  readonly followed: readonly FollowedDomain[];
  /** Domains without a known controller. */
  readonly unread: readonly UnreadDomain[];
}

export interface ForestOptions {
  /** Controllers of other domains by name in upper case. */
  readonly controllersOf: ReadonlyMap<string, readonly Controller[]>;
}

/** How long a domain is left out after a refused sign-in, because each attempt counts toward the lockout of the account. */
interface Pause {
  /** Milliseconds of `performance.now()`. */
  readonly until: number;
  readonly reason: string;
}

export class Domains {
  readonly #source: Source;
  readonly #forest: ForestOptions | undefined;
  readonly #pauseMs: number;
  readonly #changes = new Map<string, DomainChanges>();
  readonly #pauses = new Map<string, Pause>();
  #awaitsHome = false;
  #said = '';

  /**
   * @param forest default: only the domain of the controllers
   * @param pauseMs how long a domain is left out after a refused sign-in; 0 for as long as the collector runs
   */
  constructor(source: Source, forest?: ForestOptions, pauseMs = 0) {
    this.#source = source;
    this.#forest = forest;
    this.#pauseMs = pauseMs === 0 ? Number.POSITIVE_INFINITY : pauseMs;
  }

  get isForest(): boolean {
    return this.#forest !== undefined;
  }

  /**
   * Leaves out another domain that refused the sign-in. Each domain could refuse the same wrong password, so no other domain is asked until
   * the account has signed in at its own domain.
   */
  pause({ name }: FollowedDomain): void {
    const ends = Number.isFinite(this.#pauseMs)
      ? `${new Date(Date.now() + this.#pauseMs).toISOString()} (--full) or `
      : '';
    this.#pauses.set(name, {
      until: performance.now() + this.#pauseMs,
      reason: `it refused the sign-in, and is not asked again before ${ends}a restart of the collector`,
    });
    this.#awaitsHome = true;
  }

  /** @returns why a domain must not be asked now; undefined if it can be asked */
  pauseOf({ name, isHome }: FollowedDomain): string | undefined {
    if (isHome) return undefined;
    const pause = this.#pauses.get(name);
    if (pause !== undefined && performance.now() < pause.until) return pause.reason;
    return this.#awaitsHome
      ? 'another domain refused the sign-in, and the domain of the account has not confirmed the password since'
      : undefined;
  }

  /** @throws Error if the domain of the account does not answer, or refuses the sign-in */
  async signInAtHome(): Promise<void> {
    (await signInAtOne(this.#source)).close();
    this.#awaitsHome = false;
  }

  /**
   * Searches the forest each time, because controllers may have changed. Logs the domains if they are not the same as before.
   *
   * @throws Error if the domain of the account does not answer
   */
  async find(log: RunLog): Promise<FoundDomains> {
    return this.#forest === undefined ? this.#only() : await this.#search(this.#forest, log);
  }

  #only(): FoundDomains {
    const only = { name: '', sid: '', isHome: true, source: this.#source, changes: this.#changesOf('') };
    return { followed: [only], unread: [] };
  }

  async #search(forest: ForestOptions, log: RunLog): Promise<FoundDomains> {
    const found = await findForest({ ...this.#source, ...forest });
    this.#awaitsHome = false;
    const followed = found.flatMap(({ domain, sid, parts }, at) =>
      parts === undefined
        ? []
        : [
            {
              ...{ name: domain, sid, isHome: at === 0, source: { ...this.#source, ...parts } },
              changes: this.#changesOf(domain),
            },
          ],
    );
    const unread = found
      .filter(({ parts }) => parts === undefined)
      .map(({ domain, sid }) => ({ domain, sid, reason: NO_CONTROLLER }));
    const said = [
      `domains of the forest: ${found.map(({ domain }) => domain).join(', ')}`,
      ...unread.map(({ domain, reason }) => `${domain} is not read: ${reason}`),
    ];
    if (said.join('\n') !== this.#said) for (const line of said) log.say(line);
    this.#said = said.join('\n');
    return { followed, unread };
  }

  #changesOf(name: string): DomainChanges {
    const changes = this.#changes.get(name) ?? new DomainChanges();
    this.#changes.set(name, changes);
    return changes;
  }
}
