/** States of earlier versions, whose tables have fewer columns. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConnectorState } from './connectorState.ts';
import { openFile } from './sqlEngine.ts';

it('adds the columns that an earlier state does not have, once', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'clew-state-'));
  try {
    const engine = openFile(join(directory, 'connector.db'));
    await (await ConnectorState.open(engine, 'https://clew.example', 'file')).setMeta('kept', 'yes');
    await engine.run('alter table ticket_outbox drop column reason');
    const payload = { ticket: { key: 'k', title: 'One', body: [], due: null }, body: [] };
    for (const round of [1, 2]) {
      const state = await ConnectorState.open(engine, 'https://clew.example', 'file');
      expect(await state.meta('kept')).toBe('yes');
      await state.tickets.enqueue({ key: `k${round}`, kind: 'create', eventId: `e${round}`, payload });
      await state.tickets.postpone(round, 5, 'no');
      expect((await state.tickets.postponed()).map(({ reason }) => reason)).toHaveLength(round);
    }
    await engine.close();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
