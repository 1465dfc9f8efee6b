/** Measures installing a definition as large as the largest published ones, over HTTP and as a bundle. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@clew/common';
import { zipFiles } from '@clew/explore';
import { largeDefinition } from '@clew/intake/testing';
import { openBenchDatabase } from '@clew/store/testing';
import { startService } from '../src/main.ts';

const TIMES = { small: 5, large: 20 } as const;
const PASSWORD = 'Correct-Horse-1';

const DEFINITION = largeDefinition();

export default {
  name: 'service: installing an extension',
  async run({ scale }: { readonly scale: 'small' | 'large' }) {
    const directory = await mkdtemp(join(tmpdir(), 'clew-bench-'));
    const database = await openBenchDatabase();
    const { host = '', port, user, password, database: name } = database.connection;
    const service = await startService(
      readConfig({
        CLEW_DATABASE_URL: `postgres://${user}:${password}@${encodeURIComponent(host)}:${port ?? 5432}/${name}`,
        ...{ CLEW_DATA_DIR: directory, CLEW_PORT: '0', CLEW_LOG_LEVEL: 'silent' },
        ...{ CLEW_ADMIN_PASSWORD: PASSWORD, CLEW_RATE_LIMIT: '0' },
      }),
    );
    try {
      const login = await fetch(`${service.url}/api/v2/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ login_method: 'secret', username: 'admin', secret: PASSWORD }),
      });
      const { session_token } = ((await login.json()) as { data: { session_token: string } }).data;
      const put = async (body: string | Uint8Array<ArrayBuffer>, type: string): Promise<number> => {
        const began = performance.now();
        const answer = await fetch(`${service.url}/api/v2/extensions`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${session_token}`, 'content-type': type },
          body,
        });
        const text = await answer.text();
        if (answer.status > 201) throw new Error(`${answer.status} ${text}`);
        return performance.now() - began;
      };
      const measure = async (body: string | Uint8Array<ArrayBuffer>, type: string) => {
        const times: number[] = [];
        for (let at = 0; at < TIMES[scale]; at++) times.push(await put(body, type));
        times.sort((a, b) => a - b);
        const middle = times[Math.floor(times.length / 2)];
        return { 'p50 (ms)': Math.round(middle), 'largest (ms)': Math.round(times.at(-1) as number) };
      };
      const first = await put(JSON.stringify(DEFINITION), 'application/json');
      const json = await measure(JSON.stringify(DEFINITION), 'application/json');
      const bundle = await zipFiles([
        { name: 'schema.json', bytes: Buffer.from(JSON.stringify(DEFINITION)) },
        ...Array.from({ length: 50 }, (_, at) => ({
          name: `saved_searches/${at}.json`,
          bytes: Buffer.from(JSON.stringify({ name: `Query ${at}`, query: 'MATCH (n:GH_N0) RETURN n' })),
        })),
      ]);
      const { rows } = await database.pool.query(
        "select count(*)::integer as count from edge_kind where name like 'GH\\_R%'",
      );
      if (rows[0].count !== DEFINITION.relationship_kinds.length)
        throw new Error(`${rows[0].count} kinds are registered`);
      return [
        { name: '40 node kinds, 148 relationship kinds: first', figures: { 'p50 (ms)': Math.round(first) } },
        { name: 'the same again, as JSON', figures: json },
        {
          name: 'the same with 50 saved searches, as a bundle',
          figures: await measure(new Uint8Array(bundle), 'application/zip'),
        },
      ];
    } finally {
      await service.stop();
      await database.close();
      await rm(directory, { recursive: true, force: true });
    }
  },
};
