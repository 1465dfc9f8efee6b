/**
 * The fault matrix of trackers: at most one ticket per key, and each event once, at whichever step the process is killed or a
 * request fails.
 */
import { sampledCases, sampledSteps } from '@clew/common/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { TicketHarness } from '../../test/ticketHarness.ts';
import type { Fault } from '../../test/trackers/modelSystem.ts';
import { TRACKER_MODELS, trackerModel } from '../../test/trackers/models.ts';

describe.each(TRACKER_MODELS)('tickets in %s', (type) => {
  const make = async () => TicketHarness.make(trackerModel(type));
  const shift = TRACKER_MODELS.indexOf(type);

  /** The whole life of a ticket. */
  const STORY: readonly ((harness: Awaited<ReturnType<typeof make>>) => void)[] = [
    ({ service }) => void service.add('Plan', 'One'),
    ({ system: { tickets }, system }) => {
      for (const ticket of tickets) system.close(ticket, 'bob');
    },
    ({ service: { plans }, service }) => service.found(plans[0] as never, 1, 'open'),
    ({ service: { plans }, service }) => service.found(plans[0] as never, 1, 'done'),
  ];

  /** One ticket, each event once, closed at the end. */
  const told = ({ system }: Awaited<ReturnType<typeof make>>) => ({
    tickets: system.tickets.length,
    comments: system.tickets.map(({ comments }) => comments.length),
    isClosed: system.tickets.map(({ isClosed }) => isClosed),
    violations: system.violations,
  });
  const TOLD = { tickets: 1, comments: [2], isClosed: [true], violations: [] };

  it('are made once, and have each event once, when the process is killed at any step', async () => {
    // The steps of the state are the same for each tracker: a run examines half of the parts of the story with each.
    const { first, step } = sampledSteps(10);
    for (const at of sampledCases([...STORY.keys()], 2, shift))
      for (let last = first + 1; ; last += step) {
        await using harness = await make();
        const isKilled = await harness.play(STORY, { at, statements: last, settles: 2 });
        expect([at, last, told(harness)]).toEqual([at, last, TOLD]);
        if (!isKilled) break;
      }
  }, 120_000);

  const FAULTS: readonly Fault[] = [
    ...(['lost', 'taken', 'garbage'] as const),
    ...[400, 401, 403, 404, 408, 409, 412, 429, 500, 503].map((status) => ({ status })),
  ];

  /** Number of requests of the story without a fault: no other meets one. */
  let requests: number;

  async function tell(harness: Awaited<ReturnType<typeof make>>): Promise<void> {
    for (const happen of STORY) {
      happen(harness);
      await harness.run();
      await harness.settle();
      await harness.settle();
    }
  }

  beforeAll(async () => {
    await using harness = await make();
    await tell(harness);
    expect(told(harness)).toEqual(TOLD);
    requests = harness.system.requests.length;
  });

  // All trackers share the handling of a failed request: a run examines some requests, and other faults others.
  const { first, step } = sampledSteps(10);

  it.each(
    sampledCases(
      FAULTS.map(
        (fault, index) => [typeof fault === 'string' ? fault : String(fault.status), fault, index] as const,
      ),
      4,
      shift,
    ),
  )(
    'are made at most once when any request meets %s',
    async (name, fault, index) => {
      for (let at = (index + first) % Math.min(step, requests); at < requests; at += step) {
        await using harness = await make();
        const { system } = harness;
        let isMet = false;
        system.fault = (number) => {
          if (number !== at) return undefined;
          isMet = true;
          return fault;
        };
        await tell(harness);
        expect([name, at, isMet]).toEqual([name, at, true]);
        const { tickets, comments, ...rest } = told(harness);
        expect([name, at, tickets, comments.every((count) => count <= 2)]).toEqual([name, at, 1, true]);
        // The system refuses a change permanently: it is set aside.
        const mayEnd = name === '400';
        if (!mayEnd) expect([name, at, { tickets, comments, ...rest }]).toEqual([name, at, TOLD]);
      }
    },
    120_000,
  );
});
