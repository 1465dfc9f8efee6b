/** The server as a model's program sees it through the official client, with a service of a few objects behind the SDK. */
import { type WordSchema, wordsOf } from '@clew/api';
import { ClewClient } from '@clew/client';
import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { connectedClient, type REVISION_MODES, textOf } from '../test/index.ts';
import { createMcpServer, TOOLS } from './index.ts';

const OBJECTS = [
  { objectid: 'S-1-5-21-1-2-3-512', name: 'DOMAIN ADMINS@CORP.EXAMPLE', type: 'Group' },
  { objectid: 'S-1-5-21-1-2-3-513', name: 'DOMAIN USERS@CORP.EXAMPLE', type: 'Group' },
  // This character reverses the direction of the following text.
  { objectid: 'S-1-5-21-1-2-3-1105', name: 'ANN\u{202e}NIMDA@CORP.EXAMPLE', type: 'User' },
].map((object) => ({ ...object, distinguishedname: '', system_tags: '' }));

/** Answers like the service: searches by a part of a name, and returns an error for all other requests. */
const service: typeof fetch = async (target) => {
  const { pathname, searchParams } = new URL(String(target));
  if (pathname !== '/api/v2/search') {
    const errors = [{ context: 'clients', message: 'nothing\u{1b}[31m here' }];
    const body = { http_status: 404, timestamp: '', request_id: 'r', errors };
    return Response.json(body, { status: 404 });
  }
  const wanted = (searchParams.get('q') ?? '').toUpperCase();
  const data = OBJECTS.filter(({ name, objectid }) => name.includes(wanted) || objectid === wanted);
  return Response.json({ count: data.length, skip: 0, limit: 10, data });
};

async function connected(actions = false, mode: (typeof REVISION_MODES)[number] = 'auto'): Promise<Client> {
  const sdk = new ClewClient({
    ...{ url: 'http://127.0.0.1:1', fetch: service, retry: { retries: 0 } },
    credentials: { session: 'token' },
  });
  return connectedClient(() => createMcpServer(sdk, '1', { actions }), mode);
}

async function ask(name: string, input: Record<string, unknown> = {}) {
  const client = await connected();
  // The official client refuses answers that violate the schema of the tool.
  await client.listTools();
  const answer = await client.callTool({ name, arguments: input });
  await client.close();
  const { structuredContent, isError = false } = answer;
  return { text: textOf(answer), structuredContent, isError };
}

test('tools only read, have names of their own, and actions are offered where they are asked for', async () => {
  const names = async (actions: boolean): Promise<string[]> => {
    const client = await connected(actions);
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    await client.close();
    return tools.map(({ name }) => name);
  };
  const [without, all] = await Promise.all([names(false), names(true)]);
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual(TOOLS.map(({ name }) => name));
  const actions = TOOLS.filter(({ isAction }) => isAction).map(({ name }) => name);
  expect(actions).toContain('does_path_exist');
  expect(without).toEqual(all.filter((name) => !actions.includes(name)));
});

test('an answer is text and structure, and characters that people do not see are escaped in the text', async () => {
  const { text, structuredContent } = await ask('search_objects', { text: 'nimda' });
  expect(structuredContent).toMatchObject({
    objects: [{ name: 'ANN\u{202e}NIMDA@CORP.EXAMPLE' }],
    next: null,
  });
  expect(text).not.toContain('\u{202e}');
  expect(JSON.parse(text)).toEqual(structuredContent);
});

test('a list goes on where it ended', async () => {
  const { structuredContent } = await ask('search_objects', { text: 'domain', limit: 1 });
  expect(structuredContent).toMatchObject({ objects: [{ name: 'DOMAIN ADMINS@CORP.EXAMPLE' }], next: 1 });
});

test.each([
  ['search_objects', {}, /text.*\. Arguments of search_objects: text, kind, limit, next\.$/],
  ['search_objects', { text: 'x', wide: true }, /wide is not a known field.*Arguments of search_objects/],
  [
    'search_objects',
    { text: 'x', knd: 'User' },
    /^knd is not a known field: did you mean kind\? Arguments of/,
  ],
  [
    'list_findings',
    { severity: 'SEVERE' },
    /^severity must be one of low, moderate, high, critical and is "SEVERE"/,
  ],
  ['get_differences', { since: 'last week' }, /^since: "last week" is not a time\. Write 7d, 12h, /],
  ['ping', { wide: true }, /^wide is not a known field\. ping takes no arguments\.$/],
  ['serch_objects', {}, /^unknown tool serch_objects\. Nearest: search_objects/],
  ['qqq', {}, /^unknown tool qqq\. Available: ping, /],
] as const)('%s with %o is an error that names the fault', async (name, input, message) => {
  const { text, isError } = await ask(name, input);
  expect([isError, text]).toEqual([true, expect.stringMatching(message)]);
});

test.each([
  [
    'DOMAIN ADMINZ',
    /^object_id: no object is named "DOMAIN ADMINZ"\. Nearest: DOMAIN ADMINS@CORP\.EXAMPLE \(Group, S-1-/,
  ],
  ['ZZZ', /^object_id: no object is named "ZZZ"\. Nothing resembles it\. search_objects finds others/],
])(
  'an object that is named %s is an error with the nearest, and no empty answer',
  async (object_id, message) => {
    const { text, isError } = await ask('get_object', { object_id });
    expect([isError, text]).toEqual([true, expect.stringMatching(message)]);
  },
);

test('a message of the service reaches the model without control characters', async () => {
  const { text, isError } = await ask('list_environments');
  expect(isError).toBe(true);
  expect(text).toContain('nothing\u{fffd}[31m here');
});

/** Values of each wrong type, and values out of bounds. */
function* wrongValues(schema: Schema): Generator<unknown> {
  const { type, minimum, maximum, maxItems, maxLength } = schema;
  const words = wordsOf(schema);
  for (const value of ['nonsense', 1.5, true, null, {}, [[]]]) {
    const isRight =
      (type === 'string' && typeof value === 'string') || (type === 'boolean' && value === true);
    if (!isRight && words?.includes(value as string) !== true) yield value;
  }
  if (minimum !== undefined) yield minimum - 1;
  if (maximum !== undefined) yield maximum + 1;
  if (maxItems !== undefined) yield Array.from({ length: maxItems + 1 }, () => 'x');
  if (maxLength !== undefined) yield 'x'.repeat(maxLength + 1);
  if (type === 'string') yield '';
}

interface Schema extends WordSchema {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
}

/** The words of the validation library. */
const FOREIGN = /schema|anyOf|pattern|must NOT|<=|>=|constant|fewer than|required properties/;

test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  '%s says of every wrong argument which one it is and what it must be',
  async (name, { inputSchema }) => {
    const client = await connected(true);
    await client.listTools();
    const fault = async (input: unknown): Promise<string> => {
      const answer = await client.callTool({ name, arguments: input as never });
      const text = textOf(answer);
      expect([input, answer.isError]).toEqual([input, true]);
      expect(text).not.toMatch(FOREIGN);
      expect(text).toMatch(/Arguments of |takes no arguments\.$/);
      return text;
    };
    for (const [argument, schema] of Object.entries(inputSchema.properties))
      for (const value of wrongValues(schema as Schema))
        expect(await fault({ [argument]: value })).toMatch(
          new RegExp(`(^|; )${argument}(\\.\\d+)? (must|is)`),
        );
    for (const required of inputSchema.required ?? [])
      expect(await fault({})).toContain(`${String(required)} is missing`);
    expect(await fault({ qqq: 1 })).toContain('qqq is not a known field');
    // Values other than objects do not cause a protocol error.
    for (const value of [[], 'text', 5])
      expect(await fault(value)).toContain('arguments is not a known field');
    await client.close();
  },
);

test('words of enumerations count in any case', async () => {
  const words = TOOLS.flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema.properties as Record<string, Schema>).flatMap(([argument, schema]) =>
      (wordsOf(schema) ?? []).map((word) => [name, argument, word] as const),
    ),
  );
  expect(words.length).toBeGreaterThan(8);
  const mixed = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
  for (const [name, argument, word] of words)
    for (const written of [word, word.toUpperCase(), mixed(word)]) {
      // The service of this test refuses all other requests, so an accepted word fails there.
      const { text } = await ask(name, { from: 'DOMAIN ADMINS', to: 'DOMAIN USERS', [argument]: written });
      expect([name, argument, written, /must be one of/.test(text)]).toEqual([
        name,
        argument,
        written,
        false,
      ]);
    }
});
