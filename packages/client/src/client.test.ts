import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import type { Script, TestServer } from '../test/testServer.ts';
import { answerJson, errorWrapper, startTestServer } from '../test/testServer.ts';
import { ApiError, ClewClient, type UploadProgress } from './index.ts';

let server: TestServer | undefined;
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-client-'));
});
afterEach(async () => {
  await server?.close();
  await rm(directory, { recursive: true });
});

async function clientFor(script: Script): Promise<ClewClient> {
  server = await startTestServer(script);
  return new ClewClient({
    url: server.url,
    credentials: { tokenId: '54623566-213a-4490-9c68-ac44c39b6590', tokenKey: 'key' },
    retry: { firstPause: 1 },
  });
}

async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

describe('the types of a call', () => {
  it('follow from the contract', () => {
    const client = new ClewClient({ url: 'http://localhost' });
    expectTypeOf(client.call<'CreateFileUploadJob'>).returns.resolves.toHaveProperty('data');
    // @ts-expect-error a required parameter is missing
    const missing = () => client.call('GetEntity');
    // @ts-expect-error no such operation
    const unknown = () => client.call('GetNothing');
    // @ts-expect-error the answer is not a list
    const noList = () => client.pages('GetSelf');
    expect([missing, unknown, noList]).toHaveLength(3);
  });
});

describe('pages', () => {
  const all = Array.from({ length: 25 }, (_, index) => ({
    objectID: `S-${index}`,
    name: '',
    label: '',
    kinds: [],
  }));

  it('read a list to its end, each page on demand', async () => {
    const client = await clientFor(({ url }, response) => {
      const query = new URL(url, 'http://x').searchParams;
      const [skip, limit] = [Number(query.get('skip')), Number(query.get('limit'))];
      answerJson(response, 200, { count: all.length, skip, limit, data: all.slice(skip, skip + limit) });
    });
    const input = { params: { object_id: 'S-1-5-21-1-2-3' }, query: { limit: 10 } };
    const names: string[] = [];
    for await (const entry of client.entries('GetAiaCaEntityControllers', input)) names.push(entry.objectID);
    expect(names).toEqual(all.map((entry) => entry.objectID));
    expect(server!.seen).toHaveLength(3);
    for await (const page of client.pages('GetAiaCaEntityControllers', input)) {
      expect(page).toHaveLength(10);
      break;
    }
    expect(server!.seen).toHaveLength(4);
  });

  it('end with the first empty page if the entries are not counted', async () => {
    const client = await clientFor(({ url }, response) => {
      const skip = Number(new URL(url, 'http://x').searchParams.get('skip'));
      answerJson(response, 200, { data: all.slice(skip, skip + 10) });
    });
    let entries = 0;
    for await (const _ of client.entries('Search', { query: { q: 's' } })) entries++;
    expect(entries).toBe(25);
    expect(server!.seen).toHaveLength(4);
  });

  it('request a list without pages once', async () => {
    const client = await clientFor((_, response) => answerJson(response, 200, { data: [{}, {}] }));
    for await (const page of client.pages('GetAvailableDomains')) expect(page).toHaveLength(2);
    expect(server!.seen.map((request) => request.url)).toEqual(['/api/v2/available-domains']);
  });
});

describe('the shortest path', () => {
  it('is a graph, or `undefined` if no path exists', async () => {
    const graph = { nodes: {}, edges: [] };
    const client = await clientFor((_, response, count) =>
      count === 1
        ? answerJson(response, 200, { data: graph })
        : answerJson(
            response,
            404,
            errorWrapper(404, 'clients', count === 2 ? 'path not found' : 'node not found'),
          ),
    );
    expect(await client.shortestPath('A', 'B', { kinds: { in: ['MemberOf', 'AdminTo'] } })).toEqual(graph);
    expect(server!.seen[0].url).toBe(
      '/api/v2/graphs/shortest-path?start_node=A&end_node=B&relationship_kinds=in%3AMemberOf%2CAdminTo',
    );
    expect(
      await client.shortestPath('A', 'B', { kinds: { notIn: ['Owns'] }, onlyTraversable: true }),
    ).toBeUndefined();
    expect(server!.seen[1].url).toContain('relationship_kinds=nin%3AOwns&only_traversable=true');
    await expect(client.shortestPath('A', 'B')).rejects.toMatchObject({
      status: 404,
      message: 'node not found',
    });
  });
});

describe('uploads', () => {
  const job = { id: 7, status: 1 };

  /** A service that rejects files named `bad*` and fails the first attempt for files named `flaky*`. */
  function uploadService(): Script {
    const tried = new Set<string>();
    return ({ url, headers }, response) => {
      if (url === '/api/v2/file-upload/start') return answerJson(response, 201, { data: job });
      if (url === '/api/v2/file-upload/7/end' || url === '/api/v2/file-upload/7/cancel')
        return answerJson(response, 200);
      const name = String(headers['x-file-upload-name']);
      const first = !tried.has(name);
      tried.add(name);
      if (name.startsWith('bad'))
        return answerJson(response, 400, errorWrapper(400, 'clients', 'no valid meta tag found'));
      if (name.startsWith('flaky') && first) return response.destroy();
      return response.writeHead(202).end();
    };
  }

  it('send every file unchanged, with its name and the type of its content', async () => {
    const json = '{"data":[],"meta":{"type":"users","count":0,"version":6}}';
    const contents = new Map<string, Buffer>([
      ['users ä.json', Buffer.from(json)],
      ['archive.bin', Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(700_000)])],
      ['compressed', gzipSync(json)],
      ['empty.json', Buffer.alloc(0)],
    ]);
    const paths = await Promise.all([...contents].map(([name, content]) => fileOf(name, content)));
    const client = await clientFor(uploadService());
    expect(await client.uploadFiles(paths)).toEqual({ jobId: 7, accepted: paths, rejected: [] });

    expect(server!.seen[0].url).toBe('/api/v2/file-upload/start');
    expect(server!.seen.at(-1)!.url).toBe('/api/v2/file-upload/7/end');
    const uploads = new Map(
      server!.seen
        .slice(1, -1)
        .map((request) => [decodeURIComponent(String(request.headers['x-file-upload-name'])), request]),
    );
    for (const [name, content] of contents) {
      const { url, headers, body } = uploads.get(name)!;
      expect(url).toBe('/api/v2/file-upload/7');
      expect(body.equals(content)).toBe(true);
      expect(headers['content-length']).toBe(String(content.length));
      expect(headers['content-type']).toBe(name === 'archive.bin' ? 'application/zip' : 'application/json');
      expect(headers['content-encoding']).toBe(name === 'compressed' ? 'gzip' : undefined);
    }
  });

  it('report progress up to the size of each file', async () => {
    const path = await fileOf('users.json', randomBytes(1_000_000));
    const progress: UploadProgress[] = [];
    const client = await clientFor(uploadService());
    await client.uploadFiles([path], { onProgress: (step) => progress.push(step) });
    expect(progress.length).toBeGreaterThan(2);
    expect(progress.map((step) => step.sent)).toEqual(
      progress.map((step) => step.sent).toSorted((a, b) => a - b),
    );
    expect(progress.at(-1)).toEqual({ path, sent: 1_000_000, size: 1_000_000 });
  });

  it('repeat a file whose connection broke', async () => {
    const path = await fileOf('flaky.json', randomBytes(300_000));
    const client = await clientFor(uploadService());
    expect((await client.uploadFiles([path])).accepted).toEqual([path]);
    const sent = server!.seen.filter((request) => request.url === '/api/v2/file-upload/7');
    expect(sent).toHaveLength(2);
    expect(sent[0].body.equals(sent[1].body)).toBe(true);
  });

  it('continue if the service rejects one of the files', async () => {
    const paths = await Promise.all(['a.json', 'bad.json', 'c.json'].map((name) => fileOf(name, '{}')));
    const client = await clientFor(uploadService());
    const report = await client.uploadFiles(paths, { parallel: 1 });
    expect(report.accepted).toEqual([paths[0], paths[2]]);
    expect(report.rejected).toMatchObject([
      { path: paths[1], error: { status: 400, message: 'no valid meta tag found' } },
    ]);
    expect(server!.seen.at(-1)!.url).toBe('/api/v2/file-upload/7/end');
  });

  it('are canceled if the service rejects every file, with each reason once', async () => {
    const path = await fileOf('bad.json', '{}');
    const client = await clientFor(uploadService());
    const report = await client.uploadFiles([path]);
    expect(report.rejected.map(({ reasons }) => reasons)).toEqual([['no valid meta tag found']]);
    expect(server!.seen.at(-1)!.url).toBe('/api/v2/file-upload/7/cancel');
  });

  it('end immediately without permission', async () => {
    const client = await clientFor((_, response) =>
      answerJson(response, 403, errorWrapper(403, 'clients', 'not authorized')),
    );
    await expect(client.uploadFiles([await fileOf('a.json', '{}')])).rejects.toBeInstanceOf(ApiError);
    expect(server!.seen).toHaveLength(1);
  });

  it('fail before anything is sent if a file is missing', async () => {
    const client = await clientFor(uploadService());
    await expect(client.uploadFiles([join(directory, 'missing')])).rejects.toMatchObject({ code: 'ENOENT' });
    expect(server!.seen).toHaveLength(0);
  });
});

describe('waiting for a job', () => {
  it('follows it to its final status', async () => {
    const statuses = [1, 6, 6, 7, 2];
    const client = await clientFor((_, response, count) =>
      answerJson(response, 200, {
        count: 1,
        skip: 0,
        limit: 100,
        data: [{ id: 7, status: statuses[count - 1] }],
      }),
    );
    const seen: number[] = [];
    const job = await client.waitForJob(7, { interval: 1, onChange: ({ status }) => seen.push(status) });
    expect(job.status).toBe(2);
    expect(seen).toEqual([1, 6, 7, 2]);
    expect(server!.seen[0].url).toBe('/api/v2/file-upload?id=eq%3A7');
  });

  it('ends when the graph with its data is visible', async () => {
    const client = await clientFor((_, response) =>
      answerJson(response, 200, {
        ...{ count: 1, skip: 0, limit: 100 },
        data: [{ id: 7, status: 2, generation: 12 }],
      }),
    );
    expect((await client.waitForJob(7, { interval: 1 })).generation).toBe(12);
    expect(server!.seen.map(({ headers }) => headers.prefer)).toEqual([undefined, 'wait=300, generation=12']);
  });

  it('reports a job that does not exist', async () => {
    const client = await clientFor((_, response) =>
      answerJson(response, 200, { count: 0, skip: 0, limit: 100, data: [] }),
    );
    await expect(client.waitForJob(7)).rejects.toMatchObject({ status: 404 });
  });

  it('ends when the caller gives up', async () => {
    const client = await clientFor((_, response) =>
      answerJson(response, 200, { count: 1, skip: 0, limit: 100, data: [{ id: 7, status: 6 }] }),
    );
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 60);
    await expect(client.waitForJob(7, { signal: controller.signal, interval: 10_000 })).rejects.toThrow(
      'enough',
    );
  });
});
