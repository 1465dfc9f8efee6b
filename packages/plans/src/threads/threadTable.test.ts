import { readFileSync } from 'node:fs';
import { createLogger } from '@clew/common';
import { emptyGeneration, type Generation, type GenerationFacts } from '@clew/generation';
import { isCanceled } from '@clew/graph';
import { describe, expect, it } from 'vitest';
import type { Preparation } from './planMessages.ts';
import { ARROWS, type PlanThread, type PlanThreadCall, PlanThreads } from './threadTable.ts';

const generation = (id: number): Generation => ({ ...emptyGeneration(), id });
const FACTS = { scanned: {} } as unknown as GenerationFacts;
const never = new AbortController().signal;

/** A thread whose tasks end on the test's command. */
class FakeThread implements PlanThread {
  readonly name: string;
  generation: number | undefined;
  readonly asked: { readonly task: string; readonly input: unknown; readonly end: () => void }[] = [];
  closed = 0;
  pendingCount = 0;

  constructor(name: string) {
    this.name = name;
  }

  ask({ id }: Generation, task: string, input: unknown): Promise<unknown> {
    this.generation = id;
    this.pendingCount++;
    return new Promise((resolve) => {
      const end = (): void => {
        this.pendingCount--;
        resolve(`${this.name} ${task} ${id}`);
      };
      this.asked.push({ task, input, end });
    });
  }

  /** Ends all its tasks. */
  endAll(): void {
    for (const { end } of this.asked.splice(0)) end();
  }

  async forget(): Promise<void> {
    this.generation = undefined;
  }

  async close(): Promise<void> {
    this.closed++;
    this.pendingCount = 0;
    this.generation = undefined;
  }
}

function tableOf(options: { readonly answersUsers?: boolean; readonly minObjects?: number } = {}) {
  const threads: FakeThread[] = [];
  const table = new PlanThreads({ costs: {} } as never, createLogger('silent'), {
    minObjects: 0,
    ...options,
    threadOf: (name) => {
      const thread = new FakeThread(name);
      threads.push(thread);
      return thread;
    },
  });
  const [next, users] = threads;
  const ask = (role: 'users' | 'variants', id: number): Promise<unknown> =>
    table[role].run(generation(id), 'chokePoints', {} as never, never);
  const states = () =>
    Object.values(table.rows).map(({ state, generation: id }) => [state, id ?? 0].join(' '));
  return { table, threads, next, users, ask, states };
}

describe('the threads of plans', () => {
  it('have the states and arrows that the page of plans lists', () => {
    const page = readFileSync(new URL('../../../../docs/plan.md', import.meta.url), 'utf8');
    const [, ...lines] = page.slice(page.indexOf('| State | Meaning |')).split('\n');
    const rows = lines.slice(1, 1 + Object.keys(ARROWS).length).map((line) => line.split('|').slice(1, -1));
    const calls: PlanThreadCall[] = ['prepare', 'plan', 'ask', 'take', 'end'];
    const listed = rows.map(([state, , ...after]) => [
      state.trim().replaceAll('`', ''),
      Object.fromEntries(after.flatMap((cell, at) => (cell.trim() === '' ? [] : [[calls[at], cell.trim()]]))),
    ]);
    expect(Object.fromEntries(listed)).toEqual(ARROWS);
  });

  it('prepare, plan, and give their facts to users, who are asked or not', async () => {
    const { table, next, users, ask, states } = tableOf();
    expect(states()).toEqual(['empty 0', 'empty 0', 'empty 0']);
    const first = generation(1);
    table.prepare(first);
    expect(states()).toEqual(['preparing 1', 'empty 0', 'empty 0']);
    const { enough } = next.asked[0].input as Preparation;
    expect(isCanceled(enough)).toBe(false);
    const planned = table.plan(first, async (planner) => {
      expect(states()).toEqual(['planning 1', 'empty 0', 'empty 0']);
      // The preparation ends after the current step.
      expect(isCanceled(enough)).toBe(true);
      next.endAll();
      const plan = planner.run(generation(1), 'zonePlan', {} as never, never);
      next.endAll();
      expect(await plan).toBe('make-plans zonePlan 1');
      // Generations that arrive in the meantime wait.
      table.prepare(generation(2));
      expect(states()).toEqual(['planning 1', 'empty 0', 'empty 0']);
      return true;
    });
    await expect(table.plan(generation(1), async () => true)).rejects.toThrow('is planning: no plan');
    next.endAll();
    await planned;
    // Users get the thread that made the plan; their former thread makes the next plan.
    expect(states()).toEqual(['empty 0', 'given 1', 'empty 0']);
    const answer = ask('users', 1);
    expect(states()).toEqual(['empty 0', 'answering 1', 'empty 0']);
    next.endAll();
    expect(await answer).toBe('make-plans chokePoints 1');
    const second = generation(2);
    table.prepare(second);
    expect(users.asked.map(({ task }) => task)).toEqual(['prepare']);
    expect(states()).toEqual(['preparing 2', 'answering 1', 'empty 0']);
    users.endAll();
    await table.plan(second, async () => true);
    expect(states()).toEqual(['empty 0', 'given 2', 'empty 0']);
    // No question was asked, so the facts are released before newer ones are read.
    const closed = users.closed;
    table.prepare(generation(3));
    expect(users.closed).toBe(closed + 1);
    expect(states()).toEqual(['preparing 3', 'empty 0', 'empty 0']);
    await table.close();
    expect(states()).toEqual(['empty 0', 'empty 0', 'empty 0']);
  });

  it.each([
    ['where the graph is small', { minObjects: 1 }, false],
    ['where no user is answered', { answersUsers: false }, false],
    ['where users are at work', {}, true],
  ])('keep their facts from users %s', async (_, options, isAsked) => {
    const { table, next, ask, states } = tableOf(options);
    if (isAsked) void ask('users', 1);
    await table.plan(generation(2), async (planner) => {
      void planner.run(generation(2), 'zonePlan', {} as never, never);
      next.endAll();
      return true;
    });
    expect(states()).toEqual(['empty 0', isAsked ? 'answering 1' : 'empty 0', 'empty 0']);
    expect(next.generation).toBeUndefined();
  });

  it('keep their facts from users where they have lost them, or the generation is not the newest', async () => {
    const { table, next, states } = tableOf();
    await table.plan(generation(1), async () => true);
    await table.plan(generation(2), async (planner) => {
      void planner.run(generation(2), 'zonePlan', {} as never, never);
      next.endAll();
      return false;
    });
    expect(states()).toEqual(['empty 0', 'empty 0', 'empty 0']);
  });

  it('do not let the newest generation wait for the preparation of one before it', () => {
    const { table, threads, next, states } = tableOf();
    table.prepare(generation(1));
    table.prepare(generation(1));
    expect(next.asked).toHaveLength(1);
    table.prepare(generation(2));
    expect([next.closed, threads.length]).toEqual([1, 4]);
    expect(threads[3].asked.map(({ task }) => task)).toEqual(['prepare']);
    // A late generation is not prepared.
    table.prepare(generation(1));
    expect(states()).toEqual(['preparing 2', 'empty 0', 'empty 0']);
  });

  it('end a preparation that no one will use', async () => {
    const { table, next, states } = tableOf();
    table.prepare(generation(2));
    await table.forget(generation(1));
    expect(states()).toEqual(['preparing 2', 'empty 0', 'empty 0']);
    await table.forget(generation(2));
    expect([states()[0], next.closed]).toEqual(['empty 0', 1]);
  });

  it('are empty after they have ended, and start again when they are asked', async () => {
    const { table, threads, ask, states } = tableOf();
    const answer = ask('variants', 1);
    expect(states()).toEqual(['empty 0', 'empty 0', 'answering 1']);
    threads[2].endAll();
    await answer;
    await threads[2].close();
    expect(states()).toEqual(['empty 0', 'empty 0', 'empty 0']);
    void ask('variants', 1);
    expect(table.rows.variants).toEqual({ state: 'answering', generation: 1 });
  });

  it('tell the thread the rest of a generation of which it has the graph', async () => {
    const { table, next } = tableOf();
    table.prepare(generation(1));
    next.endAll();
    const planned = table.plan(generation(1), async () => false);
    expect(next.asked.map(({ task }) => task)).toEqual(['complete']);
    next.endAll();
    await planned;
  });

  it('give users the facts of the newest generation, once they are known, with the first question', async () => {
    const { table, users, ask } = tableOf();
    table.know(generation(7));
    void ask('users', 7);
    expect(users.asked.map(({ task }) => task)).toEqual(['chokePoints']);
    users.endAll();
    table.know(generation(8), FACTS);
    // The generation is announced again, without facts.
    table.know(generation(8));
    // A late, older generation does not replace the facts.
    table.know(generation(7), FACTS);
    for (const _ of [1, 2]) void ask('users', 8);
    expect(users.asked.map(({ task, input }) => [task, (input as Preparation).facts])).toEqual([
      ['prepare', FACTS],
      ['chokePoints', undefined],
      ['chokePoints', undefined],
    ]);
    // The facts are released after the plan is computed.
    users.endAll();
    await users.close();
    await table.plan(generation(8), async () => false);
    void ask('users', 8);
    expect(users.asked.map(({ task }) => task)).toEqual(['chokePoints']);
  });
});
