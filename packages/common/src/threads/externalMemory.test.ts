import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ARRAYS_WITH_HEAP, countArraysWithHeap } from './externalMemory.ts';

it('uses a flag that this V8 knows: it ignores others in silence', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(known).toContain(ARRAYS_WITH_HEAP);
  expect(countArraysWithHeap).not.toThrow();
});
