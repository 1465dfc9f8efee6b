/** Sends the curl requests in `docs/api.md` for each group of operations, and checks that each is answered. */
import { readFile } from 'node:fs/promises';
import { ENTITY_KINDS, routes } from '@clew/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFilledService } from '../test/filledService.ts';
import type { ServiceUnderTest } from '../test/serviceUnderTest.ts';

const PAGE = new URL('../../../docs/api.md', import.meta.url);
const page = (await readFile(PAGE, 'utf8')).split('\n## Operations\n')[1] ?? '';
/** The section of the page for each group. */
const groups = page.split('\n#### ').slice(1);
const commands = groups.flatMap((part) =>
  [...part.matchAll(/^```sh\n(.*?)^```/gms)].map(
    ([, block = '']) => [part.split('\n')[0] ?? '', block.replace(/\\\n\s*/g, ' ').trim()] as const,
  ),
);

let service: ServiceUnderTest;
beforeAll(async () => {
  ({ service } = await startFilledService());
}, 150_000);
afterAll(() => service.stop());

interface Command {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Splits a curl command into words, and replaces shell variables. */
function commandOf(line: string, variables: Readonly<Record<string, string>>): Command {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, bare]) =>
      single ?? (double ?? bare ?? '').replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? ''),
  );
  const after = (option: string): string[] => words.filter((_, at) => words[at - 1] === option);
  const [body] = after('-d');
  const headers = Object.fromEntries(after('-H').map((header) => header.split(': ')));
  const [method = body === undefined ? 'GET' : 'POST'] = after('-X');
  return { method, url: words.find((word) => word.startsWith('http')) ?? '', headers, body };
}

/** The id of an object of the kind in the path. */
async function idFor(line: string): Promise<string> {
  const segment = /\/api\/v2\/(\w+)/.exec(line)?.[1] ?? '';
  if (segment === 'meta') return `META-1-ROOT-${await objectOf('Domain')}`;
  return objectOf(ENTITY_KINDS.find((row) => row.segment === segment)?.kind ?? 'AZUser');
}

async function objectOf(kind: string): Promise<string> {
  const query = `MATCH (n:${kind === 'Base' ? 'User' : kind}) RETURN n.objectid LIMIT 1`;
  const { rows } = await service.data('POST', 'graphs/cypher', { query, rows: true });
  return rows[0][0];
}

test.each(commands)('%s: %s', async (_, line) => {
  expect(line).toMatch(/^curl -sS /);
  const id = line.includes('$id') ? await idFor(line) : '';
  const token = service.authorization.replace('Bearer ', '');
  const { method, url, headers, body } = commandOf(line, { url: service.service.url, token, id });
  const answer = await fetch(url, { method, headers, body });
  // No collector release is installed here, which the answer states.
  const [status, text] = [answer.status, await answer.text()];
  expect([status < 300 || (status === 404 && line.includes('/kennel/')) ? '' : text]).toEqual(['']);
});

test('each group of operations has one, or explains why not', () => {
  const tags = new Set(routes.map(({ tag }) => tag));
  const without = groups.filter((part) => !part.includes('```sh'));
  expect(groups.length).toBe(tags.size);
  expect(without.map((part) => part.split('\n')[0])).toEqual(['Client Ingest']);
});
