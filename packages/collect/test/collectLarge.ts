/** A process that collects a directory once, for measurements: prints its CPU seconds, maximum memory and objects as JSON. */
import { collectDomain } from '../src/runner/collectDomain.ts';

const { port, authority } = JSON.parse(process.argv[2]) as {
  readonly port: number;
  readonly authority: string;
};
const before = process.resourceUsage();
const { counts } = await collectDomain({
  controllers: [{ host: 'dc1.large.test', address: '127.0.0.1', port }],
  ...{ encryption: 'ldaps', ca: Buffer.from(authority), directory: process.argv[3], collector: 'clew test' },
  credentials: { kind: 'password', user: 'reader@large.test', password: 'a password' },
});
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const seconds = (userCPUTime + systemCPUTime - before.userCPUTime - before.systemCPUTime) / 1e6;
process.stdout.write(
  JSON.stringify({
    ...{ seconds, megabytes: maxRSS / 1024 },
    objects: Object.values(counts).reduce((sum, count) => sum + count, 0),
  }),
);
