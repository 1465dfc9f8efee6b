/**
 * `npm run clients`: plays the recorded requests of all clients against a new service, prints every answer that differs from the recorded
 * one, and writes the result with date and version to `docs/clients.md`. `-- --record NAME` writes the answers of one client instead, and
 * `-- --record` those of all. Run it before a release.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClientService } from '../packages/service/test/clients/clientService.ts';
import { playClient } from '../packages/service/test/clients/playClients.ts';
import { answerFile, readRecordings } from '../packages/service/test/clients/recordings.ts';
import { type ClientResults, codeDigest, RESULTS } from './clientResults.ts';
import { PARTS, readDocument, withPart } from './documents.ts';

const ROOT = join(import.meta.dirname, '..');
const at = process.argv.indexOf('--record');
const [wanted] = at < 0 ? [] : process.argv.slice(at + 1);
/** The answers of other clients must not change unseen. */
const records = (name: string): boolean =>
  at >= 0 && (wanted === undefined || name === wanted || name.startsWith(`${wanted}-`));

const recordings = readRecordings();
if (wanted !== undefined && !recordings.some(({ requests }) => requests.some(({ name }) => records(name))))
  throw new Error(`no client has requests named ${wanted}-…`);

const service = await startClientService();
const changed: Record<string, string[]> = {};
try {
  for (const recording of recordings) {
    const { client, requests } = await playClient(service, recording);
    const others = requests.filter(({ isSame }) => !isSame);
    for (const { name, text } of others) {
      console.log(`${name}: ${records(name) ? 'recorded' : 'another answer'}\n${text.slice(0, 2_000)}\n`);
      if (records(name)) writeFileSync(answerFile(name), text);
    }
    changed[client] = others.map(({ name }) => name).filter((name) => !records(name));
    console.log(`${client}: ${requests.length - others.length} of ${requests.length} answers are the same`);
  }
} finally {
  await service.stop();
}
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
// Recorded answers are part of it.
const code = codeDigest(ROOT);
const results: ClientResults = { version, date: new Date().toISOString().slice(0, 10), code, changed };
writeFileSync(join(ROOT, RESULTS), `${JSON.stringify(results, null, 2)}\n`);
// The table reads the written results.
for (const part of PARTS.filter(({ name }) => name === 'clients'))
  writeFileSync(join(ROOT, part.file), withPart(readDocument(part.file), part));
if (Object.values(changed).some((names) => names.length > 0)) process.exitCode = 1;
