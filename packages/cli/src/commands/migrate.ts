/** `clew admin migrate`: migrates the tables of the database to this version, and ends; for a job before an upgrade. */
import { counted } from '@clew/model';
import type { Context } from '../context.ts';
import { capitalized, printable } from '../terminal/text.ts';
import { withMachineFaults } from './machineFaults.ts';

export async function migrateDatabase(context: Context): Promise<void> {
  const service = await import('@clew/service');
  const applied = await withMachineFaults(() =>
    service.migrateDatabase(service.readConfig(context.env), service.createLogger('warn'), (text) =>
      context.err.write(`${capitalized(printable(text))}.\n`),
    ),
  );
  for (const name of applied) context.out.write(`${printable(name)}\n`);
  context.err.write(
    applied.length === 0
      ? 'The database already has the tables of this version.\n'
      : `${counted(applied.length, 'migration')} applied.\n`,
  );
}
