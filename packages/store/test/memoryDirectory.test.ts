import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeLeftovers } from './memoryDirectory.ts';

it('removes only leftovers of ended runs', () => {
  const root = mkdtempSync(join(tmpdir(), 'leftovers-'));
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const kept = [`clew-tests-${process.pid}`, 'clew-tests-other', 'other-1'];
  for (const name of [...kept, `clew-tests-${ended}`])
    mkdirSync(join(root, name, 'inside'), { recursive: true });
  removeLeftovers(root);
  expect(readdirSync(root).sort()).toEqual(kept.toSorted());
  rmSync(root, { recursive: true });
});
