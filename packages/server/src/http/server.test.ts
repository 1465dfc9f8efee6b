import { describe, expect, test, vi } from 'vitest';
import { expectError, useTestServer } from '../../test/http/harness.ts';
import { exchangeRaw } from '../../test/http/rawClient.ts';
import { testContracts, testHandlers } from '../../test/http/testOperations.ts';
import { startTestServer, testSignature } from '../../test/http/testServer.ts';

const harness = useTestServer();

describe('routing', () => {
  test.each(['/nothing', '/', '/open/', '/OPEN', '/x//open', '/open/../any', '/api/v2/search%00'])(
    '%s is unknown',
    async (path) => {
      const answer = await exchangeRaw(harness.url, `GET ${path} HTTP/1.1`);
      expectError({ ...answer, wrapper: answer.json() }, { status: 404, message: 'resource not found' });
    },
  );

  test('leading slashes count as one', async () => {
    for (const path of ['//open', '///open?a=b'])
      expect((await exchangeRaw(harness.url, `GET ${path} HTTP/1.1`)).status).toBe(200);
  });

  test('an alias answers the same', async () => {
    expect((await fetch(`${harness.url}/open-too`)).status).toBe(200);
  });

  test.each([
    ['DELETE', '/open', 'GET, HEAD'],
    ['GET', '/json', 'POST'],
    ['POST', '/things/1/x', 'GET, HEAD'],
    ['OPTIONS', '/form', 'PATCH'],
    ['PROPFIND', '/open', 'GET, HEAD'],
  ])('%s %s is the wrong method', async (method, path, allow) => {
    const answer = await exchangeRaw(harness.url, `${method} ${path} HTTP/1.1\r\nContent-Length: 0`);
    expectError({ ...answer, wrapper: answer.json() }, { status: 405, message: 'method not allowed' });
    expect(answer.headers.allow).toBe(allow);
  });

  test('an unknown route with an unusual body type is unknown', async () => {
    await harness.expectFailure(
      '/nothing',
      { method: 'POST', body: 'x', headers: { 'content-type': 'garbage' } },
      { status: 404, message: 'resource not found' },
    );
  });

  test('HEAD answers like GET, without the body', async () => {
    const get = await fetch(`${harness.url}/large`, { headers: { 'accept-encoding': 'identity' } });
    const head = await exchangeRaw(harness.url, 'HEAD /large HTTP/1.1');
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe(get.headers.get('content-length'));
    expect(head.body).toHaveLength(0);
    const missing = await exchangeRaw(harness.url, 'HEAD /nothing HTTP/1.1');
    expect(missing.status).toBe(404);
    expect(missing.body).toHaveLength(0);
  });

  test.each([
    ['https://host.example/clew', '/clew', 200],
    ['https://host.example/clew', '/clew?a=b', 200],
    ['https://host.example/clew', '', 200],
    ['https://host.example/clew', '/other', 404],
    ['https://host.example/clew', '/clewer', 404],
    ['https://host.example', '/clew', 404],
    [undefined, '/clew', 404],
  ])(
    'with the address %s, documents of sign-ins are found with %j at the end: %d',
    async (publicUrl, path, status) => {
      const documents = ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'];
      const contracts = testContracts.map((contract) =>
        contract.path === '/open'
          ? { ...contract, aliases: [...documents, `${documents[1]}/api/v2/mcp`] }
          : contract,
      );
      const url = await harness.startOther({ contracts, ...(publicUrl !== undefined && { publicUrl }) });
      for (const document of documents) expect((await fetch(url + document + path)).status).toBe(status);
      if (path === '/clew')
        expect((await fetch(`${url}${documents[1]}/clew/api/v2/mcp`)).status).toBe(status);
      expect((await fetch(`${url}/clew/open`)).status).toBe(404);
    },
  );

  test('accepts the absolute form of a target', async () => {
    expect((await exchangeRaw(harness.url, 'GET http://elsewhere.example/open HTTP/1.1')).status).toBe(200);
  });
});

describe('hostile requests', () => {
  const long = 'a'.repeat(10_000);

  test.each([
    ['a path of 10 kB', `GET /${long} HTTP/1.1`, 404],
    ['a parameter of 10 kB', `GET /things/1/${long}?must=1 HTTP/1.1`, 200],
    ['a query of 10 kB', `GET /open?q=${long} HTTP/1.1`, 200],
    ['a broken escape in the path', 'GET /things/1/%zz HTTP/1.1', 400],
    ['a lone percent sign', 'GET /things/1/100%?must=1 HTTP/1.1', 400],
    ['invalid UTF-8 in the path', 'GET /things/1/%ff?must=1 HTTP/1.1', 400],
    ['a broken escape in the query', 'GET /open?q=%zz HTTP/1.1', 400],
    ['invalid UTF-8 in the query', 'GET /open?q=%ff HTTP/1.1', 400],
    ['a NUL in the query', 'GET /open?q=a%00b HTTP/1.1', 400],
    ['a NUL in a parameter', 'GET /things/1/a%00b?must=1 HTTP/1.1', 400],
    ['a line break in a parameter', 'GET /things/1/a%0ab?must=1 HTTP/1.1', 400],
    ['a control character in the target', 'GET /open\x01 HTTP/1.1', 400],
    ['raw UTF-8 in the target', `GET /open?q=${Buffer.from('ü').toString('latin1')} HTTP/1.1`, 400],
    ['a blank in the target', 'GET /open x HTTP/1.1', 400],
    ['no HTTP at all', 'hello', 400],
    ['an unknown version', 'GET /open HTTP/9.9', 400],
    ['a head of 100 kB', `GET /open HTTP/1.1\r\nX-Long: ${long.repeat(10)}`, 431],
    ['two lengths', 'POST /json HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2', 400],
    ['length and chunks', 'POST /json HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked', 400],
  ])('%s', async (_, head, status) => {
    const answer = await exchangeRaw(harness.url, head);
    expect(answer.status).toBe(status);
    if (status !== 200)
      expectError(
        { ...answer, wrapper: answer.json() },
        {
          status,
          message: status === 404 ? 'resource not found' : /could not be understood|too large|malformed/,
        },
      );
  });

  test('parameters are decoded once', async () => {
    const answer = await fetch(`${harness.url}/things/1/a%252Fb%2Fc?must=a%2526b%2Bc+d`);
    expect(await answer.json()).toEqual({
      data: { params: { id: 1, name: 'a%2Fb/c' }, query: { must: 'a%26b+c d', skip: 0, type: 'list' } },
    });
  });
});

describe('program errors', () => {
  test('are answered without details, and logged with them', async () => {
    const answer = await harness.expectFailure(
      '/panic',
      {},
      {
        status: 500,
        message: 'an internal error has occurred that is preventing the service from servicing this request',
      },
    );
    const entry = harness.logged.find(
      (line) => line.request_id === answer.headers.get('requestid') && line.err !== undefined,
    );
    expect(entry).toMatchObject({ err: { message: 'the secret is hunter2' } });
  });

  test('include answers that cannot be written', async () => {
    await harness.expectFailure('/unwritable', {}, { status: 500, message: 'internal error' });
  });

  test('in tests, include answers that break their contract', async () => {
    await harness.expectFailure('/wrong', {}, { status: 500, message: 'internal error' });
  });
});

describe('the log', () => {
  test('has one line per request, without query and credentials', async () => {
    const answer = await fetch(`${harness.url}/guarded?q=private`, {
      headers: { authorization: 'test admin', signature: testSignature('GET', '/guarded?q=private') },
    });
    await answer.arrayBuffer();
    const lines = await vi.waitUntil(
      () => {
        const found = harness.logged.filter((line) => line.request_id === answer.headers.get('requestid'));
        return found.length > 0 && found;
      },
      { timeout: 100_000 },
    );
    expect(lines).toEqual([
      expect.objectContaining({
        method: 'GET',
        path: '/guarded',
        operation: 'Guarded',
        status: 200,
        principal: 'admin',
        client: '127.0.0.1',
      }),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/private|signature/i);
  });
});

describe('closing', () => {
  test('once announced, closes each connection after its next answer, and keeps answering', async () => {
    const other = await startTestServer(testContracts, testHandlers(harness.seen));
    const connections = async () => {
      const answer = await fetch(`${other.url}/unknown`);
      await answer.text();
      return answer.headers.get('connection');
    };
    expect(await connections()).toBe('keep-alive');
    other.server.announceEnd();
    expect(await connections()).toBe('close');
    expect(await connections()).toBe('close');
    await other.close();
  });

  test('lets running requests finish, and aborts slow ones', async () => {
    const other = await startTestServer(testContracts, testHandlers(harness.seen));
    const slow = fetch(`${other.url}/slow`, { headers: { prefer: 'wait=1' } });
    const stuck = fetch(`${other.url}/stubborn`).then(
      () => 'answered',
      () => 'cut',
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await other.server.close(2000);
    expect((await slow).status).toBe(500);
    expect(await stuck).toBe('cut');
  });
});
