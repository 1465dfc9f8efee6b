import type { CallOptions, ClewClient } from '@clew/client';
import { expect, it } from 'vitest';
import { whatIf } from './whatIf.ts';

interface Asked {
  readonly name: string;
  /** The generation that the request asks for. */
  readonly least: number | undefined;
  readonly at: number;
}

/** @param generations of the answers, in the order of the requests */
async function asked(...generations: readonly number[]) {
  const left = [...generations];
  const requests: Asked[] = [];
  const call = async (name: string, _: unknown, { generation }: CallOptions): Promise<unknown> => {
    requests.push({ name, least: generation, at: performance.now() });
    return { data: { generation: left.shift() } };
  };
  const found = await whatIf({ call } as unknown as ClewClient, { disable: ['S-1'] }, 3, {});
  return { requests, generations: found && [found.simulation.generation, found.remaining.generation] };
}

it('returns both answers of one analysis, and asks for the newest one that it has seen', async () => {
  const first = await asked(7, 7);
  expect(first.requests.map(({ name }) => name)).toEqual(['SimulatePlan', 'GetRemainingPaths']);
  expect(first.generations).toEqual([7, 7]);
  const second = await asked(7, 8, 8);
  expect(second.generations).toEqual([8, 8]);
  expect(second.requests.map(({ least }) => least)).toEqual([undefined, 7, 8]);
  // A process without the newer analysis answers last.
  const third = await asked(8, 7, 8, 8);
  expect(third.generations).toEqual([8, 8]);
  expect(third.requests.map(({ least }) => least)).toEqual([undefined, 8, 8, 8]);
});

it('pauses before each further attempt, and returns no answers of different analyses', async () => {
  const { requests, generations } = await asked(1, 2, 3, 4, 5, 6, 7);
  expect(generations).toBe(undefined);
  expect(requests.length).toBe(7);
  for (const at of [3, 5]) expect(requests[at]!.at - requests[at - 1]!.at).toBeGreaterThan(1900);
}, 20_000);
