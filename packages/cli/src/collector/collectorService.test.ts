import type { ClewClient } from '@clew/client';
import { expect, test } from 'vitest';
import { CollectorService } from './collectorService.ts';

const serviceOf = (call: (operation: string, input: unknown) => Promise<unknown>): CollectorService =>
  new CollectorService({ call } as unknown as ClewClient);

test('lines without a text are not sent', async () => {
  const sent: unknown[] = [];
  const service = serviceOf(async (_, input) => sent.push(input));
  const at = '2026-01-01T00:00:00Z';
  await service.addLines([{ at, text: '' }]);
  expect(sent).toEqual([]);
  await service.addLines(['a', '', 'b'].map((text) => ({ at, text })));
  expect(sent).toEqual([
    {
      body: {
        lines: [
          { at, text: 'a' },
          { at, text: 'b' },
        ],
      },
    },
  ]);
});
