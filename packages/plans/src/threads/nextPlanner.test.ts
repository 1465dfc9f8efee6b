import { createLogger } from '@clew/common';
import { emptyGeneration, type Generation, type GenerationFacts } from '@clew/generation';
import { expect, it } from 'vitest';
import { NextPlanner } from './nextPlanner.ts';
import type { Planner } from './planner.ts';

const generation = (id: number): Generation => ({ ...emptyGeneration(), id });
const FACTS = { scanned: {} } as unknown as GenerationFacts;

it('gives users the facts of the newest generation, once it has them', () => {
  const given: unknown[] = [];
  const planner = { know: (...known: unknown[]) => given.push(known) } as unknown as Planner;
  const next = new NextPlanner({} as never, createLogger('silent'), { planner });
  next.know(generation(7));
  next.know(generation(8), FACTS);
  // Announced again, without facts.
  next.know(generation(8));
  // An older one that is late does not take their place.
  next.know(generation(7), FACTS);
  next.prepare(generation(7));
  next.know(generation(8));
  expect(given).toEqual([
    [7, undefined],
    [8, FACTS],
    [8, FACTS],
    [8, FACTS],
  ]);
});
