/** Imported into a process: writes its maximum memory in MB to `CLEW_PEAK_FILE` when it ends. */
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  writeFileSync(process.env.CLEW_PEAK_FILE as string, String(Number(peak) / 1024));
});
