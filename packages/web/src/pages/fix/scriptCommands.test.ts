import { expect, it } from 'vitest';
import { scriptCommands } from './scriptCommands.ts';

const ids = (...numbers: readonly number[]): string[] =>
  numbers.map((number) => `change-${String(number).padStart(2, '0')}`);

it('runs up to three scripts one by one', () => {
  expect(scriptCommands(ids(1, 2), 'Apply')).toEqual([
    'powershell -File change-01.ps1 -Mode Apply',
    'powershell -File change-02.ps1 -Mode Apply',
  ]);
  expect(scriptCommands(ids(1, 2), 'Undo')).toEqual([
    'powershell -File change-02.ps1 -Mode Undo',
    'powershell -File change-01.ps1 -Mode Undo',
  ]);
  expect(scriptCommands([], 'Apply')).toEqual([]);
});

it('runs many scripts by one command that stops at the first failure', () => {
  expect(scriptCommands(ids(2, 3, 4, 5), 'Apply')).toEqual([
    "foreach ($n in 2..5) { powershell -File ('change-{0:00}.ps1' -f $n) -Mode Apply; if ($LASTEXITCODE -notin 0, 2) { break } }",
  ]);
});

it('undoes the last change first, and passes over changes that were not applied', () => {
  expect(scriptCommands(ids(2, 3, 5, 11), 'Undo')).toEqual([
    "foreach ($n in 11, 5, 3, 2) { powershell -File ('change-{0:00}.ps1' -f $n) -Mode Undo; if ($LASTEXITCODE -notin 0, 2, 3) { break } }",
  ]);
});

it('verifies every change', () => {
  expect(scriptCommands(ids(1, 2, 3, 4), 'Verify')).toEqual([
    "foreach ($n in 1..4) { powershell -File ('change-{0:00}.ps1' -f $n) -Mode Verify }",
  ]);
});
