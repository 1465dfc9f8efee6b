import { LabeledStepsBuilder, NodeSet } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextOf, SID } from '../findings/testing/worlds.ts';
import { SessionDraws } from './sessionDraws.ts';

const USERS = 6;
const HOSTS = 30;
const userId = (at: number): string => `${SID}-${1100 + at}`;
const hostId = (at: number): string => `${SID}-${2100 + at}`;

/**
 * A domain of hosts that everyone administers. User 0 controls the zone and is logged on to host 0.
 *
 * Labels: 0 keeps user 0 off host 0, 1 takes the control away from user 0, from 2 on one for the rights of each other user.
 */
function domain({ sessions }: { readonly sessions: number }) {
  const node = (id: string, kind: number) => ({
    id,
    kinds: [NodeKind.Base, kind],
    props: { domainsid: SID },
  });
  const test = graphOf({
    nodes: [
      { id: SID, kinds: [NodeKind.Base, NodeKind.Domain], props: { domainsid: SID, collected: true } },
      ...Array.from({ length: USERS }, (_, at) => node(userId(at), NodeKind.User)),
      ...Array.from({ length: HOSTS }, (_, at) => node(hostId(at), NodeKind.Computer)),
    ],
    edges: Array.from(
      { length: sessions },
      (_, at) => [hostId(at % HOSTS), EdgeKind.HasSession, userId(at === 0 ? 0 : 1)] as const,
    ),
  });
  const { nodeCount } = test.graph;
  const [zone, users] = [test.node(SID), Array.from({ length: USERS }, (_, at) => test.node(userId(at)))];
  const hosts = Array.from({ length: HOSTS }, (_, at) => test.node(hostId(at)));
  const builder = new LabeledStepsBuilder(nodeCount);
  if (sessions > 0) builder.add(hosts[0], users[0], [0]);
  builder.add(users[0], zone, [1]);
  for (const [at, user] of users.entries())
    if (at > 0) for (const host of hosts) builder.add(user, host, [at + 1]);
  const weights = new Uint32Array(nodeCount);
  for (const user of users) weights[user] = 1;
  const context = contextOf(test);
  const above = NodeSet.of(nodeCount, [zone]);
  const steps = builder.build(USERS + 1, undefined);
  return () => new SessionDraws(context, above, steps, [{ targets: [zone], weights }]);
}

describe('a fifth more sessions', () => {
  const draws = domain({ sessions: 200 });

  it('undo a card that keeps an account off the one host where it was seen', () => {
    expect(draws().holds([0], [])).toBe(false);
  });

  it('do not undo a card that takes its control away', () => {
    expect(draws().holds([1], [])).toBe(true);
    expect(draws().holds([1], [0])).toBe(true);
  });

  it('do not undo a card after which nothing is left to undo', () => {
    expect(draws().holds([0], [1])).toBe(true);
  });

  it('say nothing where no session was seen', () => {
    expect(domain({ sessions: 0 })().holds([0], [])).toBe(true);
  });

  it('give the same answer for one card as for many that are weighed together', () => {
    const label = fc.nat(USERS);
    const cards = fc.array(fc.uniqueArray(label, { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 8,
    });
    let undone = 0;
    fc.assert(
      fc.property(cards, (some) => {
        const before = (at: number): number[] => some.slice(0, at).flat();
        const together = draws();
        together.weigh(Array.from({ length: some.length + 1 }, (_, at) => before(at)));
        const answers = some.map((card, at) => together.holds(card, before(at)));
        expect(answers).toEqual(some.map((card, at) => draws().holds(card, before(at))));
        undone += answers.filter((answer) => !answer).length;
      }),
    );
    expect(undone).toBeGreaterThan(0);
  });
});
