/** The table of `docs/clients.md`: recorded clients, with the results of the last `npm run clients`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecordings } from '../packages/service/test/clients/recordings.ts';
import { type ClientResults, RESULTS } from './clientResults.ts';

const ROOT = join(import.meta.dirname, '..');

const cell = (text: string): string => text.replaceAll('|', '\\|');

export function clientTable(): string {
  const { version, date, changed } = JSON.parse(readFileSync(join(ROOT, RESULTS), 'utf8')) as ClientResults;
  const rows = readRecordings().map(({ client, program, recorded, protocol, requests }) => {
    const others = changed[client];
    const result =
      others === undefined
        ? 'not played yet'
        : others.length === 0
          ? 'same'
          : `changed: ${others.join(', ')}`;
    const words = [client, program, recorded, protocol === 'bolt' ? 'Bolt' : 'HTTP'].map(cell);
    return `| ${words.join(' | ')} | ${requests.length} | ${result} |`;
  });
  return [
    ...[`Played on ${date} against version ${version}.`, ''],
    '| Client | Program | Requests are | Protocol | Requests | Answers |',
    ...['| --- | --- | --- | --- | ---: | --- |', ...rows],
  ].join('\n');
}
