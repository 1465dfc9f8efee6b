/** Runs one benchmark and sends its figures to the parent process. Usage: benchProcess.ts FILE SCALE. */
import { pathToFileURL } from 'node:url';
import type { BenchResult, BenchRun } from './benchReport.ts';

interface Bench {
  readonly name: string;
  run(options: { readonly scale: string }): Promise<readonly BenchResult[]>;
}

const [file, scale] = process.argv.slice(2) as [string, string];
const start = performance.now();

async function measure(): Promise<Omit<BenchRun, 'file'>> {
  const { default: bench } = (await import(pathToFileURL(file).href)) as { default: Bench };
  const results = await bench.run({ scale });
  return { name: bench.name, results, ...cost() };
}

const cost = () => ({
  seconds: (performance.now() - start) / 1000,
  peakMb: process.resourceUsage().maxRSS / 1024,
});

const answer = await measure().catch((error: unknown) => {
  console.error(error);
  return {
    name: file,
    results: [],
    ...cost(),
    fault: error instanceof Error ? error.message : String(error),
  };
});
process.send?.(answer, () => process.exit(0));
