/**
 * Plans of collections for which an expert knows what a careful administrator would do: no card breaks required access, and each
 * card names its rejected alternatives.
 */

import { archiveFromFile, type CollectionSource } from '@clew/collections';
import { SAMPLE_FILE } from '@clew/collections/testing';
import { nameOf, objectIdOf } from '@clew/graph';
import { beforeAll, describe, expect, it } from 'vitest';
import { analyzedWorld } from '../../../test/analyzedWorld.ts';
import { collectedWorld } from '../../../test/collectedWorld.ts';
import { addAgents, handForest } from '../../../test/handForest.ts';
import { packageText } from '../../explain/packageTexts.ts';
import { notThisText } from '../../explain/priceTexts.ts';
import { wholePlan } from '../../plan.ts';
import type { Plan } from '../../planTypes.ts';
import type { Repair } from '../../repairs/repair.ts';
import type { AnalyzedWorld } from '../../simulation/simulate.ts';

const repairsOf = ({ cards }: Plan): Repair[] =>
  cards.flatMap(({ packages }) => packages.flatMap((one) => one.repairs));

function planOf(world: AnalyzedWorld, goal: number): Plan {
  const plan = wholePlan(world, { zone: 1, goal });
  if (plan === undefined) throw new Error('the zone was not analyzed');
  return plan;
}

describe('the plan of a forest made by hand', () => {
  let world: AnalyzedWorld;
  const shown = (node: number | undefined): string =>
    node === undefined ? '' : nameOf(world.context.graph, node).split('@')[0];
  const told = ({ kind, object, principal }: Repair): string =>
    `${kind} ${shown(object)} ${shown(principal)}`;
  beforeAll(async () => {
    world = await handForest();
  }, 60_000);

  it('closes the holes, and leaves the terminal server, the administrators of hosts and shipped templates alone', () => {
    const { cards } = planOf(world, 0.1);
    const [card] = cards;
    expect(card).toMatchObject({ exposedBefore: 363, exposedAfter: 34 });
    expect(card?.bound.isProvenCheapest).toBe(true);
    const own = new Set(repairsOf({ cards: [card] } as unknown as Plan).map(told));
    expect([...own].filter((change) => !change.endsWith(' DOMAIN COMPUTERS')).sort()).toEqual([
      'keep-off TS01.HAND.TEST DA1',
      'remove-enrollment AGENT DOMAIN USERS',
      'remove-member T0_SERVER_ADMINS DOMAIN USERS',
    ]);
    expect(cards.flatMap(({ packages }) => packages).filter(({ isKept }) => isKept)).toEqual([]);
  });

  it.each([10, 24, 35])(
    'closes %i more templates of agents, though one change that breaks something would cost less',
    async (count) => {
      const many = await handForest((files) => addAgents(files, count));
      const { cards, end } = planOf(many, 0.1);
      expect(end).toBe('goal');
      const packages = cards.flatMap((card) => card.packages);
      expect(packages.filter(({ isKept }) => isKept)).toEqual([]);
      const templates = packages.find(({ kind }) => kind === 'ca-template-enrollment');
      expect(templates?.repairs).toHaveLength(count + 1);
    },
  );

  it('says which changes would do the same, what they cost, and what they break', () => {
    const [card] = planOf(world, 0.1).cards;
    const texts = card?.packages.flatMap(({ notThis = [], cost }) =>
      notThis.map((one) => notThisText(world, one, cost)),
    );
    expect(texts).toContain(
      'Not: remove T0_SERVER_ADMINS@HAND.TEST from 544@CAHOST.HAND.TEST (7): T0_SERVER_ADMINS@HAND.TEST administers 1 of the 3 computers in HAND.TEST whose administrators were collected (of 64).',
    );
    expect(
      texts?.some((text) =>
        /USER@HAND.TEST from DOMAIN USERS@HAND.TEST \(7\): it is a Microsoft default/.test(text),
      ),
    ).toBe(true);
  });

  it('removes an entry of AdminSDHolder there, in one package, and one of a unit at the unit', () => {
    const packages = planOf(world, 0).cards.flatMap((card) => card.packages);
    const copied = packages.filter(({ kind }) => kind === 'protected-entry');
    expect(copied.map(({ subjects, cost, repairs }) => [shown(subjects[0]), cost, repairs.length])).toEqual([
      ['ADMINSDHOLDER', 1, 5],
    ]);
    expect(packages.filter(({ kind }) => kind === 'inherited-entry').map(({ cost }) => cost)).toContain(1);
    const others = packages.filter(({ kind }) => kind !== 'inherited-entry' && kind !== 'protected-entry');
    const single = others.flatMap(({ repairs }) => repairs).map(told);
    expect(single.filter((change) => /^remove-permission (DA\d|DOMAIN ADMINS) /.test(change))).toEqual([]);
  });
});

describe('the plan of the public sample collection', () => {
  it('takes no right of Remote Desktop Users, no member of a department and no shipped template', async () => {
    await using archive = await archiveFromFile(SAMPLE_FILE);
    const sources = archive.members.flatMap(({ source }): CollectionSource[] => (source ? [source] : []));
    const world = analyzedWorld(await collectedWorld(sources));
    const { graph } = world.context;
    const plan = planOf(world, 0.02);
    const repairs = repairsOf(plan);
    expect(repairs.length).toBeGreaterThan(5);
    expect(repairs.filter(({ kind }) => kind === 'remove-logon-right')).toEqual([]);
    const shipped = repairs.filter(
      ({ kind, object, principal }) =>
        kind === 'remove-enrollment' &&
        /^(USER|MACHINE|DOMAINCONTROLLER)@/.test(nameOf(graph, object)) &&
        /-51[356]$/.test(objectIdOf(graph, principal as number)),
    );
    expect(shipped).toEqual([]);
    // Other protected objects do not have the entry, so AdminSDHolder does not have it: only the account does.
    const own = plan.cards
      .flatMap(({ packages }) => packages)
      .map((one) => packageText(world, one))
      .filter(
        ({ title }) => title === 'Remove GenericWrite on T1_FABIAN@PHANTOM.CORP from EVERYONE@PHANTOM.CORP',
      );
    expect(own.map(({ fix }) => fix)).toEqual([
      expect.stringMatching(
        /^Remove the entry .* from the access control list of T1_FABIAN@PHANTOM.CORP itself: inheritance is off/,
      ),
    ]);
    for (const [at, { packages }] of plan.cards.entries())
      for (const { prices, notThis, questions } of packages) {
        if (at === 0)
          expect(prices.every(({ reason }) => reason !== 'membership' && reason !== 'authority')).toBe(true);
        if (!prices.some(({ reason }) => reason === 'authority')) continue;
        expect(notThis?.length).toBeGreaterThan(0);
        expect(questions.map(({ kind }) => kind)).toContain('enrollment');
      }
  }, 120_000);
});
