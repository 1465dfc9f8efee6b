/** Commands that run scripts of a change kit. */

export type ScriptMode = 'Apply' | 'Verify' | 'Undo';

/** More scripts than these are run by one command. */
const MAX_SINGLE = 3;

/** Exit codes at which a loop goes on (`docs/kits.md`). An Undo that exits with 3 undid nothing: the change has no backup, or is not as collected. */
const GOES_ON: Readonly<Record<ScriptMode, string>> = { Apply: '0, 2', Undo: '0, 2, 3', Verify: '' };

/**
 * A loop that changes something stops at the first script that fails. To undo, the last change comes first.
 * @param ids names of scripts of one kit, in its order: "change-07"
 */
export function scriptCommands(ids: readonly string[], mode: ScriptMode): string[] {
  if (ids.length <= MAX_SINGLE) return ids.map((id) => `powershell -File ${id}.ps1 -Mode ${mode}`);
  const parts = ids.map((id) => /^(.*?)(\d+)$/.exec(id) ?? [id, id, '']);
  const [[, prefix = '', digits = ''] = []] = parts;
  const numbers = parts.map(([, , number]) => Number(number));
  const ordered = mode === 'Undo' ? numbers.toReversed() : numbers;
  const isRange = numbers.every((number, at) => number === numbers[0]! + at);
  const list = isRange ? `${ordered[0]}..${ordered.at(-1)}` : ordered.join(', ');
  const file = `('${prefix}{0:${'0'.repeat(digits.length)}}.ps1' -f $n)`;
  const stop = GOES_ON[mode] === '' ? '' : `; if ($LASTEXITCODE -notin ${GOES_ON[mode]}) { break }`;
  return [`foreach ($n in ${list}) { powershell -File ${file} -Mode ${mode}${stop} }`];
}
