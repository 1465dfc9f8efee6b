/** A plan covers all its findings and changes, even if there are more than a page shows. */
import { AnalysisContext, defaultOptions } from '@clew/analysis';
import { NodeSet } from '@clew/graph';
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import { expect, it } from 'vitest';
import type { Repair } from '../repairs/repair.ts';
import { type AnalyzedWorld, worldOf } from '../simulation/simulate.ts';
import { loweredFindings } from './loweredFindings.ts';
import { MAX_CHANGES, packageText } from './packageTexts.ts';

const SID = 'S-1-5-21-1-2-3';
const NOW = 1_700_000_000;

/** Users of a domain; the holder has GenericAll over each. */
function world(count: number, propsOf: (at: number) => object): AnalyzedWorld {
  const users = Array.from({ length: count }, (_, at) => ({ id: `user${at}`, props: propsOf(at) }));
  const node = (id: string, kind: number, props: object) => ({
    ...{ id, name: id, props: { domainsid: SID, ...props }, environment: SID },
    kinds: [NodeKind.Base, kind],
  });
  const test = graphOf({
    nodes: [
      node(SID, NodeKind.Domain, { collected: true }),
      node('HOLDER', NodeKind.Group, {}),
      ...users.map(({ id, props }) => node(id, NodeKind.User, props)),
    ],
    edges: users.map(
      ({ id }): TestEdge => ['HOLDER', EdgeKind.GenericAll, id, EdgeFlag.Acl | EdgeFlag.HasAcl],
    ),
  });
  const context = new AnalysisContext({ ...test, options: defaultOptions() });
  const members = NodeSet.empty(context.graph.nodeCount);
  const zone = { id: 1, position: 1, analyzed: true, members, pending: members };
  return worldOf(context, { now: NOW, zonesOf: () => [zone] });
}

it('says of each critical and high finding of more than 1,000 that the plan leaves it as it is', () => {
  const leaking = world(1100, () => ({ userpassword: 'in clear text', pwdlastset: NOW - 86_400 }));
  const { left, lowered } = loweredFindings(leaking, { cards: [] }, leaking);
  expect(lowered).toEqual([]);
  expect(left.length).toBe(1100);
});

it('notes how entries are protected where only a change without a line is about one', () => {
  const last = MAX_CHANGES + 20;
  const textWith = (isProtected: boolean): string => {
    const some = world(last, (at) => ({
      admincount: isProtected && at === last - 1,
      isaclprotected: isProtected && at === last - 1,
    }));
    const [holder] = [...some.context.nodesOf('Group')] as [number];
    const users = [...some.context.nodesOf('User')];
    const repairs = users.map(
      (object): Repair =>
        ({
          ...{ kind: 'remove-permission', object, principal: holder, edgeKinds: ['GenericAll'] },
          change: { removed: [{ start: holder, kind: EdgeKind.GenericAll, end: object }], properties: [] },
        }) as unknown as Repair,
    );
    const text = packageText(some, { kind: 'rights-in-container', subjects: [0, holder], repairs });
    expect(text.changes).toHaveLength(MAX_CHANGES);
    return text.fix;
  };
  expect(textWith(true)).not.toBe(textWith(false));
  expect(textWith(true)).toContain('AdminSDHolder');
});
