import { silentLog } from '@clew/store/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { Build, type BuildContext, type Step } from './step.ts';

const numbers: Step<number[]> = { name: 'numbers', work: async () => [1, 2, 3] };
const written: unknown[] = [];
const sum: Step<number> = {
  name: 'sum',
  work: async (build) => build.resultOf(numbers).reduce((total, one) => total + one, 0),
  publish: async (_build, result, generation) => void written.push([result, generation.id]),
};

const STEPS: readonly Step<unknown>[] = [numbers, sum];

function build(signal = new AbortController().signal): Build {
  return new Build({ log: silentLog, signal } as BuildContext, {} as pg.Client);
}

test('a step uses the results of earlier steps, and publishes its own', async () => {
  const one = build();
  for (const step of STEPS) await one.run(step);
  for (const step of STEPS) await one.publish(step, { id: 7, publishedAt: '' });
  expect(one.resultOf(sum)).toBe(6);
  expect(written).toEqual([[6, 7]]);
  expect(Object.keys(one.laps)).toEqual(['numbers', 'sum', 'publish sum']);
});

test('rejects a table of steps in the wrong order as a program error', async () => {
  await expect(build().run(sum)).rejects.toThrow('the step "numbers" has not run yet');
});

test('a stopped build runs no further step', async () => {
  const stopped = new AbortController();
  const one = build(stopped.signal);
  await one.run(numbers);
  stopped.abort(new Error('stopped'));
  await expect(one.run(sum)).rejects.toThrow('stopped');
});
