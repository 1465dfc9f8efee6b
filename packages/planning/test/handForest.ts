/**
 * A hand-made forest (`plan/fixtures/hand.zip`), for which an expert knows the right changes: Domain Users are in
 * T0_SERVER_ADMINS, the template AGENT is open to Domain Users, the administrator DA1 works on the terminal server TS01, and a
 * tool has rights inherited from AdminSDHolder and a unit. 375 accounts, one domain, no tenant.
 */

import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { archiveFromFile, sourceFromBytes } from '@clew/collections';
import type { AnalyzedWorld } from '../src/simulation/simulate.ts';
import { analyzedWorld } from './analyzedWorld.ts';
import { collectedWorld } from './collectedWorld.ts';

const ARCHIVE = fileURLToPath(new URL('./hand.zip', import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: files are edited as an administrator would, without their types.
type Json = any;

/** @returns the contents of the files, keyed by object type @throws Error for an unreadable archive */
export async function handFiles(): Promise<Record<string, Json>> {
  await using archive = await archiveFromFile(ARCHIVE);
  if (archive.fault !== undefined) throw new Error(`${ARCHIVE}: ${archive.fault.message}`);
  const files: Record<string, Json> = {};
  for (const { name, source, fault } of archive.members) {
    if (source === undefined) throw new Error(`${ARCHIVE}: ${name}: ${fault?.message}`);
    const file: Json = await json(Readable.from(source.open()));
    files[file.meta.type] = file;
  }
  return files;
}

/** Publishes copies of the template AGENT, which is open to Domain Users. */
export function addAgents({ certtemplates, enterprisecas }: Record<string, Json>, count: number): void {
  const agent = certtemplates.data.find(({ Properties }: Json) => Properties.name === 'AGENT@HAND.TEST');
  for (let at = 0; at < count; at++) {
    const copy = structuredClone(agent);
    copy.ObjectIdentifier = `4E3C4F32-E115-5544-8888-0C16ED05${1000 + at}`;
    copy.Properties.name = `AGENT${at}@HAND.TEST`;
    copy.Properties.distinguishedname = copy.Properties.distinguishedname.replace(
      /^CN=[^,]*/,
      `CN=AGENT${at}`,
    );
    certtemplates.data.push(copy);
    enterprisecas.data[0].EnabledCertTemplates.push({
      ...{ ObjectIdentifier: copy.ObjectIdentifier, ObjectType: 'CertTemplate' },
    });
  }
  certtemplates.meta.count = certtemplates.data.length;
}

/** @param change changes the files first @returns the forest as analyzed by the service */
export async function handForest(
  change: (files: Record<string, Json>) => void = () => {},
): Promise<AnalyzedWorld> {
  const files = await handFiles();
  change(files);
  const sources = Object.entries(files).map(([type, file]) =>
    sourceFromBytes(`${type}.json`, Buffer.from(JSON.stringify(file))),
  );
  return analyzedWorld(await collectedWorld(sources));
}
