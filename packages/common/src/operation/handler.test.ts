/** Tests code that must not compile. `npm run check` verifies the expected errors. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Answer, Handler, Handlers, RequestInput } from './handler.ts';
import { jsonStream, pageStream } from './jsonStream.ts';

describe('a handler', () => {
  test('receives the parts in its contract', () => {
    type Paged = RequestInput<'ListFileUploadJobs'>;
    expectTypeOf<Paged['query']>().toEqualTypeOf<{ readonly skip: number; readonly limit: number }>();
    expectTypeOf<RequestInput<'GetCompletedTasks'>['params']>().toEqualTypeOf<{
      readonly file_upload_job_id: number;
    }>();
    expectTypeOf<RequestInput<'Search'>['query']['q']>().toEqualTypeOf<string>();
    expectTypeOf<RequestInput<'Search'>['query']['type']>().toEqualTypeOf<string | string[] | undefined>();
    expectTypeOf<RequestInput<'Login'>['body']['username']>().toEqualTypeOf<string>();
    expectTypeOf<RequestInput<'Search'>['body']>().toEqualTypeOf<undefined>();
    expectTypeOf<RequestInput<'Search'>['stream']>().toEqualTypeOf<undefined>();
  });

  test('that reads or answers anything else does not compile', () => {
    const filters: Handler<'ListFileUploadJobs'> = async ({ query: { skip, limit, ...others } }) => {
      // @ts-expect-error: filters are parsed from the raw query
      void others.status;
      return { status: 200, json: { count: 0, skip, limit, data: [] } };
    };
    // @ts-expect-error: the contract has no such status
    const status: Handler<'GetHealth'> = async () => ({ status: 201, json: { status: 'ok' } });
    // @ts-expect-error: the contract has another body
    const body: Handler<'GetHealth'> = async () => ({ status: 200, json: { status: 1 } });
    // @ts-expect-error: the contract has a body
    const empty: Handler<'GetHealth'> = async () => ({ status: 200 });
    // @ts-expect-error: the contract has no text
    const text: Handler<'GetHealth'> = async () => ({ status: 200, text: '', mediaType: 'text/plain' });
    const wrongEntries = pageStream({ count: 0, skip: 0, limit: 0 }, [[{ id: 'one' }]]);
    const page: Answer<'ListFileUploadJobs'> = {
      status: 200,
      mediaType: 'application/json',
      // @ts-expect-error: a page of other entries
      stream: wrongEntries,
    };
    // @ts-expect-error: one handler is missing
    const table: Handlers<'GetHealth' | 'GetReadiness'> = {
      GetHealth: async () => ({ status: 200, json: { status: 'ok' } }),
    };
    expect([filters, status, body, empty, text, page, table]).toHaveLength(7);
    wrongEntries.destroy();
  });
});

test('a page is written batch by batch, with the same text as at once', async () => {
  const head = { count: 5, limit: 2, skip: 1 };
  const read = async (stream: AsyncIterable<Buffer>): Promise<string> => {
    let text = '';
    for await (const piece of stream) text += piece;
    return text;
  };
  for (const batches of [[], [[]], [[1], [], [2, 3]], [[], [{ a: 'b' }], []]]) {
    const whole = JSON.stringify({ ...head, data: batches.flat() });
    expect(await read(pageStream<unknown>(head, batches))).toBe(whole);
  }
  async function* failing(): AsyncGenerator<string> {
    yield '[';
    throw new Error('lost');
  }
  await expect(read(jsonStream<unknown[]>(failing()))).rejects.toThrow('lost');
});
