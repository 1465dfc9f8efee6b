import { expect, it } from 'vitest';
import type { AnyHandler } from './handler.ts';
import { uniteHandlers } from './uniteHandlers.ts';

const handler: AnyHandler = async () => ({ status: 200 });

it('each operation has one handler', () => {
  expect(Object.keys(uniteHandlers({ A: handler }, { B: handler }))).toEqual(['A', 'B']);
  expect(() => uniteHandlers({ A: handler }, { A: handler })).toThrow('two handlers for A');
});
