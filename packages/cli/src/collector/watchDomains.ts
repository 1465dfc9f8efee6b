/**
 * Follows changes of all domains of a collector, each at its own times, so that a domain whose controllers do not answer does not delay the
 * others. After a refused sign-in at one domain, the domain of the account decides whether the password is still valid.
 */
import { isRefused } from '@clew/collect';
import type { FollowedDomain } from './domains.ts';
import { reasonOf } from './failures.ts';
import type { JobParts, Outcome } from './runJob.ts';
import { hasPassed, Watch, type WatchTimes } from './watch.ts';

export class WatchDomains {
  readonly #parts: JobParts;
  readonly #times: WatchTimes;
  readonly #watches = new Map<string, Watch>();
  /** Domains that are read now, the one of the account first; empty before they are found. */
  #followed: readonly FollowedDomain[] = [];
  #searchedAt = Number.NEGATIVE_INFINITY;
  #mustSearch = true;
  #failure = '';

  constructor(parts: JobParts, times: WatchTimes) {
    this.#parts = parts;
    this.#times = times;
  }

  get isDue(): boolean {
    return this.#times.interval > 0 && (this.#isSearchDue || this.#nextDue() !== undefined);
  }

  /** New domains are found as often as everything is read. */
  get #isSearchDue(): boolean {
    const { interval, full } = this.#times;
    const since = performance.now() - this.#searchedAt;
    if (this.#mustSearch) return hasPassed(since, interval);
    return hasPassed(since, full === 0 ? 0 : Math.max(interval, full));
  }

  /** Records full readings at the request of a user. */
  noteFull(domains: readonly FollowedDomain[]): void {
    for (const domain of domains) this.#watchOf(domain).noteFull();
  }

  /** Asks the domain that has waited longest. @throws only errors of the service */
  async ask(): Promise<Outcome> {
    if (this.#isSearchDue) {
      const outcome = await this.#find();
      if (outcome === 'refused' || this.#followed.length === 0) return outcome;
    }
    const domain = this.#nextDue();
    if (domain === undefined) return 'complete';
    const outcome = await this.#watchOf(domain).ask(domain);
    if (outcome === 'complete') return outcome;
    // The controller that issues tickets for other domains may be another one now.
    this.#mustSearch = true;
    return outcome === 'refused' && !domain.isHome ? this.#leave(domain) : outcome;
  }

  async #find(): Promise<Outcome> {
    const { domains, log, signal } = this.#parts;
    this.#searchedAt = performance.now();
    try {
      this.#followed = (await domains.find(log)).followed;
      this.#mustSearch = false;
      this.#failure = '';
      return 'complete';
    } catch (error) {
      if (signal.aborted) return 'failed';
      const reason = reasonOf(error);
      if (reason !== this.#failure) log.say(`the domains of the forest could not be read: ${reason}`);
      this.#failure = reason;
      return isRefused(error) ? 'refused' : 'failed';
    }
  }

  /** The search signs in at the domain of the account, which decides whether the others are asked. */
  async #leave(domain: FollowedDomain): Promise<Outcome> {
    const { domains, log } = this.#parts;
    domains.pause(domain);
    log.say(`${domain.name} is left out: ${domains.pauseOf(domain)}`);
    return this.#find();
  }

  #nextDue(): FollowedDomain | undefined {
    const { domains } = this.#parts;
    const due = this.#followed.filter(
      (domain) => this.#watchOf(domain).isDue && domains.pauseOf(domain) === undefined,
    );
    const waited = (domain: FollowedDomain): number => this.#watchOf(domain).askedAt;
    return due.sort((one, other) => waited(one) - waited(other))[0];
  }

  #watchOf({ name }: FollowedDomain): Watch {
    const watch = this.#watches.get(name) ?? new Watch(this.#parts, this.#times);
    this.#watches.set(name, watch);
    return watch;
  }
}
