import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCatalog, MAX_ATTACHMENT_BYTES } from '@clew/api';
import { ClewClient } from '@clew/client';
import { expect, it } from 'vitest';
import { uploadAttachment } from './uploadAttachment.ts';

it('uploads a file of the maximum size, and reads no larger one', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'clew-attachment-'));
  try {
    const bodies: string[] = [];
    const client = new ClewClient({
      ...{ url: 'http://127.0.0.1:1', credentials: { session: 'token' }, retry: { retries: 0 } },
      async fetch(_, request) {
        const { content } = (await new Response(request?.body).json()) as { readonly content: string };
        bodies.push(content);
        const errors = [{ context: 'clients', message: 'refused' }];
        return Response.json({ http_status: 403, timestamp: '', request_id: 'r', errors }, { status: 403 });
      },
    });
    const upload = (path: string) =>
      uploadAttachment({ directory, signal: new AbortController().signal }, client, path);
    await writeFile(join(directory, 'a'), '');
    await truncate(join(directory, 'a'), MAX_ATTACHMENT_BYTES + 1);
    await expect(upload('a')).rejects.toThrow('the file a is larger than 4 MiB');
    await expect(upload('b')).rejects.toThrow('the file b cannot be read');
    expect(bodies).toEqual([]);
    await truncate(join(directory, 'a'), MAX_ATTACHMENT_BYTES);
    await expect(upload('a')).rejects.toThrow('refused');
    expect(bodies.map(({ length }) => length)).toEqual([Math.ceil(MAX_ATTACHMENT_BYTES / 3) * 4]);
    expect(errorCatalog.attachmentTooLarge.message).toBe('the file is larger than 4 MiB');
  } finally {
    await rm(directory, { recursive: true });
  }
});
