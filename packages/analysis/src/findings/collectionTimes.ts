/**
 * When what is known of an environment was collected, as far as its own times tell: in a domain that is in use some account
 * logged on, or changed its password, shortly before. Ages are counted from then, or a collection of two years ago would make
 * every account in it unused.
 *
 * Rule: `docs/findings.md#ages`.
 */
import type { Reads, Shared } from '../analysisContext.ts';
import { environments } from './environments.ts';

const KEYS = ['lastlogontimestamp', 'lastlogon', 'pwdlastset', 'whencreated'] as const;

const READS: Reads = { nodeProperties: KEYS, shared: [environments] };

/** A newest time that is no older than this says that the collection is of today. */
const RECENT_SECONDS = 30 * 86_400;

export interface CollectionTimes {
  /** @param now seconds since 1970 @returns the time from which ages of objects of the environment count */
  of(environment: number, now: number): number;
}

export const collectionTimes: Shared<CollectionTimes> = {
  name: 'collection times',
  reads: READS,
  build: (context) => {
    const { of, nodes } = context.use(environments);
    const newest = new Float64Array(nodes.length);
    /** By environment: times that some clocks showed are left out when they lie in the future. */
    const times: [environment: number, time: number][] = [];
    for (const key of KEYS) {
      context.properties.nodesWith(key).forEach((node) => {
        const time = context.properties.number(key, node);
        if (time === undefined || of[node] >= nodes.length) return;
        if (time > newest[of[node]]) {
          newest[of[node]] = time;
          times.push([of[node], time]);
        }
      });
    }
    return {
      of: (environment, now) => {
        const last =
          (newest[environment] ?? 0) <= now
            ? (newest[environment] ?? 0)
            : Math.max(
                0,
                ...times.flatMap(([at, time]) => (at === environment && time <= now ? [time] : [])),
              );
        return last === 0 || now - last <= RECENT_SECONDS ? now : last;
      },
    };
  },
};
