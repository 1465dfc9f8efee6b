import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCollection, sourceFromBytes } from '@clew/collections';
import { expect, it } from 'vitest';
import { GRAPH_SECRET, simulatedGraph } from '../../test/simulatedGraph.ts';
import { collectTenant } from './collectTenant.ts';

it('writes changes and removed objects as files that the service reads', async () => {
  const root = mkdtempSync(join(tmpdir(), 'clew-tenant-'));
  try {
    await using graph = await simulatedGraph({ users: 20, groups: 4, applications: 3 });
    const request = (name: string) => ({
      account: {
        ...{ tenant: 'lab.example', clientId: 'client' },
        credentials: { kind: 'secret', secret: GRAPH_SECRET } as const,
      },
      places: { graph: graph.origin, login: graph.origin },
      ...{ directory: join(root, name), collector: 'clew test', keepsState: true },
    });
    const { state } = await collectTenant(request('full'));
    expect(readdirSync(join(root, 'full'))).toEqual(['clew_azure.json']);
    const [user, app] = [graph.ids('/users')[3], graph.ids('/applications')[1]];
    graph.remove('/users', user);
    graph.remove('/applications', app);
    const { files, isFull } = await collectTenant({ ...request('changes'), state });
    expect([files.length, isFull]).toEqual([2, false]);
    const reading = readCollection(
      sourceFromBytes('deleted.json', readFileSync(join(root, 'changes', 'clew_deleted.json'))),
    );
    const deleted: string[] = [];
    for await (const batch of reading) for (const { deletedIds = [] } of batch) deleted.push(...deletedIds);
    expect([reading.report.fault, reading.report.issues]).toEqual([undefined, []]);
    // Applications have their client id in records.
    expect(deleted.sort()).toEqual([user, state?.appIds[app]].map((id) => id?.toUpperCase()).sort());
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
