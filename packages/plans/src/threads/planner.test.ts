import { emptyGeneration } from '@clew/generation';
import { expect, it } from 'vitest';
import { Planner } from './planner.ts';

it('takes over no thread without the facts: one that ended for want of memory', () => {
  const made = () =>
    new Planner({ connection: {}, logLevel: 'silent', rules: 'clean', costs: {}, efforts: {} });
  expect(made().takeOver(made(), { ...emptyGeneration(), id: 1 })).toBe(false);
});
