/**
 * Writes files of JSON lines, for platforms that read files, and for tests. Each line is an event. Events from before
 * a crash are recognized by their id in the newest file, so no line is written twice.
 */
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Alert } from '../findings/alerts.ts';
import { ocsfFinding } from './ocsf.ts';
import type { HostPlatform, Outcome } from './platform.ts';
import type { SettingsOf } from './settings.ts';

const FILE = 'findings.jsonl';
const NEWLINE = 0x0a;
const DEFAULT_MAX_BYTES = 100 * 1024 * 1024;

export function jsonlPlatform({
  directory,
  format = 'clew',
  maxFileBytes = DEFAULT_MAX_BYTES,
}: SettingsOf<'jsonl'>): HostPlatform {
  const path = join(directory, FILE);
  let known: Set<string> | undefined;

  async function makeReady(): Promise<Set<string>> {
    await mkdir(directory, { recursive: true });
    known ??= await idsIn(path);
    return known;
  }

  async function rotate(): Promise<void> {
    const size = (await stat(path).catch(() => undefined))?.size ?? 0;
    if (size < maxFileBytes) return;
    const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
    const taken = new Set(await readdir(directory));
    let name = `findings-${stamp}.jsonl`;
    for (let number = 2; taken.has(name); number++) name = `findings-${stamp}-${number}.jsonl`;
    await rename(path, join(directory, name));
    known = new Set();
  }

  return {
    name: `jsonl in ${directory}`,
    async test() {
      await makeReady();
      await (await open(path, 'a')).close();
    },
    async deliver(alert) {
      const before = await makeReady();
      const fresh = new Set(alert.events.filter(({ item }) => !before.has(item.eventId)));
      await rotate();
      const ids = await makeReady();
      const lines = [...fresh].map((event) => {
        const content =
          format === 'ocsf' ? ocsfFinding(alert, event) : { alert: headOf(alert), ...event.fields };
        return `${JSON.stringify(content)}\n`;
      });
      const file = await open(path, 'a+', 0o600);
      try {
        // A crash may have truncated the last line.
        const { size } = await file.stat();
        const isWhole =
          size === 0 || (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] === NEWLINE;
        await file.appendFile((isWhole ? '' : '\n') + lines.join(''));
        await file.datasync();
      } finally {
        await file.close();
      }
      for (const { item } of fresh) ids.add(item.eventId);
      return alert.events.map(
        (event): Outcome => ({
          result: fresh.has(event) ? 'delivered' : 'duplicate',
          hostId: event.item.eventId,
        }),
      );
    },
    async close() {},
  };
}

/** The common members of lines; texts are in the events. */
const headOf = ({
  id,
  kind,
  name,
  ticketId,
  severity,
  priority,
  sourceDomain,
  isTest,
  extensions,
}: Alert) => ({
  ...{ id, kind, name, ticketId, severity, priority, sourceDomain, isTest },
  caseId: extensions.CaseId,
});

async function idsIn(path: string): Promise<Set<string>> {
  const ids = new Set<string>();
  if ((await stat(path).catch(() => undefined)) === undefined) return ids;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const id = idOf(line);
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

/** `undefined` for a line that a crash truncated. */
function idOf(line: string): string | undefined {
  try {
    const content = JSON.parse(line) as { EventId?: string; metadata?: { uid?: string } };
    return content.EventId ?? content.metadata?.uid;
  } catch {
    return undefined;
  }
}
