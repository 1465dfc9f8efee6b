/** Measures the speed and memory of generating the text of a forest. */
import { fileText, generateForest } from '../src/index.ts';

const USERS = { small: 4000, large: 430_000 } as const;

export default {
  name: 'synthetic: generate',
  async run({ scale }: { readonly scale: 'small' | 'large' }) {
    const start = performance.now();
    let objects = 0;
    let bytes = 0;
    for (const file of generateForest({ users: USERS[scale], seed: 1 }).files) {
      for (const text of fileText(file, () => objects++)) bytes += text.length;
    }
    const seconds = (performance.now() - start) / 1000;
    if (objects < USERS[scale] * 2) throw new Error(`only ${objects} objects`);
    const figures = {
      objects,
      'objects/s': Math.round(objects / seconds),
      'MB/s': Math.round(bytes / seconds / 1e6),
      'resident at the end (MB)': Math.round(process.memoryUsage().rss / 2 ** 20),
    };
    return [{ name: 'text of all files', figures }];
  },
};
