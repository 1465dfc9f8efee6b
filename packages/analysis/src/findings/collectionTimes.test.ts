import { graphOf } from '@clew/graph/testing';
import { NodeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { contextOf, DAY, NOW, SID } from '../../test/findings/worlds.ts';
import { collectionTimes } from './collectionTimes.ts';

/** @param times times of the accounts, in visiting order */
function collectedAt(times: readonly number[]): number {
  const domain = {
    id: SID,
    kinds: [NodeKind.Base, NodeKind.Domain],
    props: { domainsid: SID, collected: true },
  };
  const accounts = times.map((lastlogontimestamp, at) => ({
    id: `${SID}-${1000 + at}`,
    kinds: [NodeKind.Base, NodeKind.User],
    props: { domainsid: SID, lastlogontimestamp },
  }));
  const context = contextOf(graphOf({ nodes: [domain, ...accounts] }));
  return context.use(collectionTimes).of(0, NOW);
}

describe('when an environment was collected', () => {
  it('is the newest time that its accounts show', () => {
    expect(collectedAt([NOW - 400 * DAY, NOW - 200 * DAY, NOW - 300 * DAY])).toBe(NOW - 200 * DAY);
  });

  it.each([[[NOW + 900 * DAY, NOW - 200 * DAY]], [[NOW - 200 * DAY, NOW + 900 * DAY, NOW - 300 * DAY]]])(
    'ignores clocks that ran ahead: %j',
    (times) => {
      expect(collectedAt(times)).toBe(NOW - 200 * DAY);
    },
  );

  it('is now for new data, and where no time is known', () => {
    expect(collectedAt([NOW - DAY])).toBe(NOW);
    expect(collectedAt([])).toBe(NOW);
  });
});
