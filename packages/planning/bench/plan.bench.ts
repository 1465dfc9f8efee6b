/**
 * Cards and bounds on a plan graph in which all steps can be removed: teams, hosts and sessions as in large forests, and three
 * planted first steps of all principals. Budget at a million objects: the kernel and the wide cards 10 s, all cards 60 s.
 */

import { LabeledStepsBuilder } from '@clew/graph';
import { newRandom } from '@clew/graph/testing';
import type { WorkPackage } from '../src/packages/packageOrder.ts';
import { LazyCandidates } from '../src/search/candidates.ts';
import { PlanBounds } from '../src/search/planBounds.ts';
import { findCards } from '../src/search/planCards.ts';
import { finish } from '../src/steps.ts';
import { WorkTime } from '../src/workTime.ts';

const SIZES = { small: 100_000, large: 1_000_000 } as const;
const FIRST_STEPS = 3;
const SEARCH_MS = 60_000;

export default {
  name: 'planning: plan',
  run({ scale }: { readonly scale: keyof typeof SIZES }) {
    const { steps, packages, weights, target, people } = planGraph(SIZES[scale]);
    const began = performance.now();
    const source = new LazyCandidates({
      ...{ steps, packages, targets: [[target]] },
      groups: [{ realm: 0, weights }],
    });
    let firstAt = 0;
    const options = {
      time: new WorkTime(SEARCH_MS),
      isDone: ([exposed]: readonly number[]) => exposed <= people * 0.04,
      counted: people,
    };
    const cards = finish(findCards(source, options), () => {
      firstAt ||= performance.now();
    });
    const found = performance.now();
    const candidates = source.restricted(source.places);
    const contracted = performance.now();
    const bounds = new PlanBounds(candidates, cards, undefined);
    const [first] = cards.map((_, at) => bounds.of(at));
    const ended = performance.now();
    const planted = Array.from({ length: FIRST_STEPS }, (_, at) => at).join();
    if (cards[0]?.packages.join() !== planted)
      throw new Error(`the first card is ${cards[0]?.packages.join()}, not the planted one`);
    if (first.cost > FIRST_STEPS) throw new Error(`the bound of the first card is ${first.cost}`);
    if (scale === 'small' && !first.isProvenCheapest)
      throw new Error('the first card is the cheapest, and that is not proven');
    const { steps: kernel } = candidates.network;
    return [
      {
        name: 'cards and bounds',
        figures: {
          ...{ objects: SIZES[scale], steps: steps.starts.length, packages: packages.length },
          ...{ 'kernel nodes': kernel.nodeCount, 'kernel steps': kernel.starts.length, cards: cards.length },
          'exposed before': cards[0].exposedBefore,
          'exposed after': cards.at(-1)?.exposedAfter ?? 0,
          'first card (ms)': Math.round(firstAt - began),
          'all cards (ms)': Math.round(found - began),
          'bound of the first card': first.cost,
          'kernel of all (ms)': Math.round(contracted - found),
          'bounds (ms)': Math.round(ended - contracted),
        },
      },
    ];
  },
};

/** All principals have the planted first steps; one team in fifty leads to hosts with a session of an account of the zone. */
function planGraph(size: number) {
  const random = newRandom(7);
  const people = Math.floor(size * 0.45);
  const hosts = Math.floor(size * 0.45);
  const teams = size - people - hosts;
  const [firstHost, firstTeam, everybody] = [people, people + hosts, size];
  const target = everybody + 1 + FIRST_STEPS;
  const builder = new LabeledStepsBuilder(target + 1);
  const packages: WorkPackage[] = [];
  const pick = (first: number, count: number): number => first + Math.floor(random() * count);
  const candidate = (isWide: boolean, cost: number): number[] => {
    const repair = packages.length;
    packages.push({
      ...{ key: String(repair), kind: 'remove-permission', subjects: [], repairs: [repair], cost },
      ...{ isAtomic: true, isWide, isKept: false, root: 0 },
    });
    return [repair];
  };
  for (let at = 0; at < FIRST_STEPS; at++) {
    const place = everybody + 1 + at;
    builder.add(everybody, place, candidate(true, 1));
    builder.add(place, target, []);
  }
  for (let person = 0; person < people; person++) {
    builder.add(person, everybody, []);
    for (let at = 0; at < 3; at++) builder.add(person, pick(firstTeam, teams), candidate(false, 2));
  }
  for (let team = 0; team < teams; team++)
    for (let at = 0; at < 4; at++) builder.add(firstTeam + team, pick(firstHost, hosts), candidate(false, 1));
  for (let host = 0; host < hosts; host++) {
    const isBad = random() < 0.002;
    if (isBad) builder.add(firstHost + host, target, candidate(false, 3));
    else if (random() < 0.05) builder.add(firstHost + host, pick(0, people), candidate(false, 3));
  }
  const weights = new Uint32Array(target + 1).fill(1, 0, people);
  return { steps: builder.build(packages.length, undefined), packages, weights, target, people };
}
