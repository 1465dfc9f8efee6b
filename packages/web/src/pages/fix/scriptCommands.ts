/** Commands that run scripts of a change kit. */

export type ScriptMode = 'Apply' | 'Verify' | 'Undo';

/** Maximum number of scripts with individual commands; more are run by a loop. */
const MAX_SINGLE = 3;

/**
 * Exit codes after which a loop continues (`docs/kits.md`). An Undo that exits with 3 undid nothing: the change has no backup, or
 * differs from the collected data.
 */
const GOES_ON: Readonly<Record<ScriptMode, string>> = { Apply: '0, 2', Undo: '0, 2, 3', Verify: '' };

/**
 * A loop that changes something stops at the first failing script. Undo starts with the last change.
 * @param ids names of scripts of one kit, in order: "change-07"
 */
export function scriptCommands(ids: readonly string[], mode: ScriptMode): string[] {
  const ordered = mode === 'Undo' ? ids.toReversed() : ids;
  const parts = ordered.map((id) => /^(.*?)(\d+)$/.exec(id));
  if (ids.length <= MAX_SINGLE || parts.includes(null))
    return ordered.map((id) => `powershell -File ${id}.ps1 -Mode ${mode}`);
  const [, prefix = '', digits = ''] = parts[0]!;
  const numbers = parts.map((part) => Number(part![2]));
  const isRange = numbers.every((number, at) => Math.abs(number - numbers[0]!) === at);
  const list = isRange ? `${numbers[0]}..${numbers.at(-1)}` : numbers.join(', ');
  const file = `('${prefix}{0:${'0'.repeat(digits.length)}}.ps1' -f $n)`;
  const stop = GOES_ON[mode] === '' ? '' : `; if ($LASTEXITCODE -notin ${GOES_ON[mode]}) { break }`;
  return [`foreach ($n in ${list}) { powershell -File ${file} -Mode ${mode}${stop} }`];
}
