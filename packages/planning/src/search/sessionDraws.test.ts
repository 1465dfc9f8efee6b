import { contextOf, SID } from '@clew/analysis/testing';
import { LabeledStepsBuilder, NodeSet } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawnSessions, SessionDraws } from './sessionDraws.ts';

const USERS = 6;
const HOSTS = 30;
const LABELS = USERS + 1;
const userId = (at: number): string => `${SID}-${1100 + at}`;
const hostId = (at: number): string => `${SID}-${2100 + at}`;

/**
 * A domain whose hosts everyone administers. User 0 controls the zone and is logged on to host 0.
 *
 * Labels: 0 keeps user 0 off host 0, 1 removes the control of user 0, and each label from 2 removes the rights of another user.
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
  const steps = builder.build(LABELS, undefined);
  const realms = [{ targets: [zone], weights }];
  const packages = Array.from({ length: LABELS }, (_, label) => ({ repairs: [label] }));
  /** Slow twin: exposed users by searching all steps. */
  const exposed = (done: readonly number[], more: readonly (readonly [number, number])[]): number => {
    const walked = new LabeledStepsBuilder(nodeCount);
    for (let end = 0; end < nodeCount; end++)
      for (let at = steps.offsets[end]; at < steps.offsets[end + 1]; at++)
        walked.add(steps.starts[at], end, steps.sets[steps.setOf[at]]);
    for (const [start, end] of more) walked.add(start, end, []);
    return walked.build(LABELS, undefined).weigh([zone], [done], weights)[0];
  };
  const { starts, ends, draws } = drawnSessions(context, above);
  const drawn = (draw: number) =>
    [...starts].flatMap((start, at) => (draws[at] === draw ? [[start, ends[at]] as const] : []));
  return {
    draws: () => new SessionDraws(context, above, { steps, realms, packages }),
    exposed,
    drawn: Array.from({ length: 5 }, (_, draw) => drawn(draw)),
  };
}

describe('a fifth more sessions', () => {
  const { draws, exposed, drawn } = domain({ sessions: 200 });

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
    expect(domain({ sessions: 0 }).draws().holds([0], [])).toBe(true);
  });

  it('give the answer of walks over all steps with the sessions of each draw, whichever packages are known', () => {
    const label = fc.nat(USERS);
    const cards = fc.array(fc.uniqueArray(label, { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 8,
    });
    const others = fc.uniqueArray(label, { maxLength: LABELS });
    let undone = 0;
    fc.assert(
      fc.property(cards, others, (some, among) => {
        const one = draws();
        for (const [at, card] of some.entries()) {
          const before = some.slice(0, at).flat();
          const fall = (more: readonly (readonly [number, number])[]): number =>
            exposed(before, more) - exposed([...before, ...card], more);
          const holds = drawn.every((sessions) => fall(sessions) >= 0.9 * fall([]));
          expect(one.holds(card, before, among)).toBe(holds);
          if (!holds) undone++;
        }
      }),
    );
    expect(undone).toBeGreaterThan(0);
  });
});
