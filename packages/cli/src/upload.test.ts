import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClewClient } from '@clew/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Screen } from './terminal/screen.ts';
import { ingestFiles } from './upload.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-upload-'));
  await writeFile(join(directory, 'users.json'), '{}');
});
afterAll(() => rm(directory, { recursive: true }));

it.each(['interrupted by SIGINT', 'cannot reach the service'])(
  'says that the job continues when the wait for it ends: %s',
  async (reason) => {
    const client = {
      uploadFiles: () => Promise.resolve({ jobId: 7, rejected: [] }),
      waitForJob: () => Promise.reject(new Error(reason)),
    } as unknown as ClewClient;
    let text = '';
    const screen = {
      write: (part: string) => (text += part),
      style: (_: string, part: string) => part,
    } as unknown as Screen;
    await expect(ingestFiles(client, [join(directory, 'users.json')], screen)).rejects.toThrow(reason);
    expect(text).toContain(
      'Job 7 continues on the service: "clew status" shows it, "clew cancel 7" stops it.\n',
    );
  },
);
