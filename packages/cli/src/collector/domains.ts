/**
 * The domains that a collector reads: the one of its controllers, or all of a forest. Each has its own controllers, change numbers and
 * uploaded ids, which outlast a new search for the domains.
 */
import { type Controller, DomainChanges, findForest, NO_CONTROLLER } from '@clew/collect';
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

export class Domains {
  readonly #source: Source;
  readonly #forest: ForestOptions | undefined;
  readonly #changes = new Map<string, DomainChanges>();
  #found: FoundDomains | undefined;
  #said = '';

  /** @param forest default: only the domain of the controllers */
  constructor(source: Source, forest?: ForestOptions) {
    this.#source = source;
    this.#forest = forest;
  }

  get isForest(): boolean {
    return this.#forest !== undefined;
  }

  /** Logs the domains of a forest if they are not the same as before. @throws Error if the domain of the account does not answer */
  async find(log: RunLog): Promise<FoundDomains> {
    this.#found ??= this.#forest === undefined ? this.#only() : await this.#search(this.#forest, log);
    return this.#found;
  }

  /** Searches again before the next reading: controllers may have changed. */
  forget(): void {
    this.#found = undefined;
  }

  #only(): FoundDomains {
    const only = { name: '', sid: '', isHome: true, source: this.#source, changes: this.#changesOf('') };
    return { followed: [only], unread: [] };
  }

  async #search(forest: ForestOptions, log: RunLog): Promise<FoundDomains> {
    const found = await findForest({ ...this.#source, ...forest });
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
