/** A plan that is started before its request, and paused after some steps, equals a plan computed at once. */
import { type FirstPlan, makePlan, type Plan, type PlanEvent, wholePlan } from '@clew/planning';
import { randomDirectories, randomWorld } from '@clew/planning/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PlanRun } from './planRun.ts';

const OPTIONS = { zone: 1, minNear: 0, tellsEarly: true };

const keysOf = ({ cards }: FirstPlan) => cards.map(({ key, exposures, cost }) => ({ key, exposures, cost }));

it('is the same plan, with the same events, however far it was worked on before', () => {
  let cards = 0;
  fc.assert(
    fc.property(randomDirectories, fc.nat(400), (directory, steps) => {
      const world = randomWorld(directory);
      const told: unknown[] = [];
      const tell = (event: PlanEvent) =>
        told.push([event.state, 'plan' in event ? keysOf(event.plan()) : event.done]);
      const states: string[] = [];
      const expected = keysOf(wholePlan(world, OPTIONS, tell) as Plan);
      const events = told.splice(0);
      const run = new PlanRun(world, { request: 1, state: 'early' }, (stateNow) =>
        makePlan(world, { ...OPTIONS, detailsOf: () => states.push(stateNow()) }),
      );
      let [done, isMore] = [0, true];
      while (done++ < steps && isMore) isMore = run.next();
      // Nothing is simulated before a request.
      expect([states, run.isOpen]).toEqual([[], true]);
      run.state = 'asked';
      expect(keysOf(run.finish(tell) as Plan)).toEqual(expected);
      expect(told).toEqual(events);
      expect(new Set(states).has('early')).toBe(false);
      expect([run.isOpen, run.next()]).toEqual([false, false]);
      cards += expected.length;
    }),
    { numRuns: 20 },
  );
  expect(cards).toBeGreaterThan(20);
}, 60_000);
