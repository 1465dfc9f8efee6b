import type { ClewClient } from '@clew/client';
import { expect, it } from 'vitest';
import { whatIf } from './whatIf.ts';

/** @param generations of the answers, in the order of the requests */
async function asked(...generations: readonly number[]) {
  const left = [...generations];
  const names: string[] = [];
  const call = async (name: string): Promise<unknown> => {
    names.push(name);
    return { data: { generation: left.shift() } };
  };
  const found = await whatIf({ call } as unknown as ClewClient, { disable: ['S-1'] }, 3, {});
  return { names, generations: found && [found.simulation.generation, found.remaining.generation] };
}

it('returns both answers of one analysis, and none if each attempt meets another one', async () => {
  expect(await asked(7, 7)).toEqual({ names: ['SimulatePlan', 'GetRemainingPaths'], generations: [7, 7] });
  expect((await asked(7, 8, 8)).generations).toEqual([8, 8]);
  expect((await asked(8, 7, 8, 8)).generations).toEqual([8, 8]);
  expect((await asked(1, 2, 3, 4, 5, 6, 7)).generations).toBe(undefined);
});
