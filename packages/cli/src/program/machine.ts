/** Commands for the machine of the service, and commands without a service. */
import { type Command, Option } from 'commander';
import { backup, restoreFrom } from '../commands/backup.ts';
import { demo } from '../commands/demo.ts';
import { doctor } from '../commands/doctor.ts';
import { FLAWS, generate, PARTS, startOfDay } from '../commands/generate.ts';
import { migrateDatabase } from '../commands/migrate.ts';
import { resetPassword } from '../commands/resetPassword.ts';
import { rotateKey } from '../commands/rotateKey.ts';
import { serve } from '../commands/serve.ts';
import type { Context } from '../context.ts';
import { type Choose, day, integer, jsonOption } from './options.ts';

export function addServeCommand(program: Command, context: Context, choose: Choose): void {
  program
    .command('serve')
    .description('run the service; CLEW_ variables configure it (docs/configuration.md)')
    .action(() => choose(() => serve(context)));
}

export function addDoctorCommand(program: Command, context: Context, choose: Choose): void {
  program
    .command('doctor')
    .description('check for unsafe or slow settings of the service, its machine and its database')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nRun it on the machine of the service, with its CLEW_ variables. The exit code is 0 without recommendations, and 1 with recommendations.',
    )
    .action((options) => choose(() => doctor(context, options)));
}

export function addAdminCommands(program: Command, context: Context, choose: Choose): void {
  const admin = program
    .command('admin')
    .description('tasks for administrators on the machine that runs the service');
  admin
    .command('reset-password')
    .description(
      'set the password of a user directly in the data directory (CLEW_DATA_DIR) or database (CLEW_DATABASE_URL)',
    )
    .argument('<name>', 'name or e-mail address of the user')
    .option('--generate', 'generate a password and print it')
    .option('--without-mfa', 'also remove MFA')
    .addHelpText(
      'after',
      '\nIt works whether or not the service is running. It enables a disabled user and ends all sessions of the user.',
    )
    .action((name, options) => choose(() => resetPassword(context, name, options)));
  admin
    .command('rotate-key')
    .description('replace the secret key of a stopped service, and encrypt all stored secrets again')
    .option(
      '--new-key-file <file>',
      'file with the new key, of at least 32 characters; needed with CLEW_SECRET_KEY (default: a generated key)',
    )
    .addHelpText(
      'after',
      '\nIt changes all secrets in one transaction, then the file secret.key in the data directory (CLEW_DATA_DIR). If it was interrupted, run it again. All sessions are ended; API tokens, webhook secrets and MFA stay valid (docs/operations.md).',
    )
    .action((options) => choose(() => rotateKey(context, options)));
  admin
    .command('migrate')
    .description(
      'upgrade the tables in the data directory (CLEW_DATA_DIR) or database (CLEW_DATABASE_URL) to this version, and stop',
    )
    .addHelpText(
      'after',
      '\nThe service does the same when it starts. Running this before an upgrade avoids waiting processes.',
    )
    .action(() => choose(() => migrateDatabase(context)));
  admin
    .command('backup')
    .description('write all data to one file, even while the service runs')
    .argument(
      '<path>',
      'new file, or an existing directory in which the file is named by the current time; a path that ends with / is a directory',
    )
    .option(
      '--encrypt',
      'encrypt the file with a passphrase (CLEW_BACKUP_PASSPHRASE, or the command asks for it; piped input is one line)',
    )
    .option('--with-key', 'also write the secret key of the installation; the file is encrypted')
    .option(
      '--keep <number>',
      'number of backups of this installation to keep in the directory; older ones are deleted',
      integer(1, 10_000),
    )
    .addHelpText(
      'after',
      '\nIt reads one snapshot of the database in the data directory (CLEW_DATA_DIR) or at CLEW_DATABASE_URL.',
    )
    .action((path, options) => choose(() => backup(context, path, options)));
  admin
    .command('restore')
    .description('fill an empty data directory (CLEW_DATA_DIR) or database (CLEW_DATABASE_URL) from a backup')
    .argument('<file>', 'backup file')
    .addHelpText(
      'after',
      '\nThe whole file is verified before anything changes. A database that a service has already used is refused, even if the service is stopped.',
    )
    .action((file) => choose(() => restoreFrom(context, file)));
}

export function addSampleCommands(program: Command, context: Context, choose: Choose): void {
  program
    .command('generate')
    .description('write a synthetic organization as collection files (docs/synthetic.md)')
    .requiredOption('--out <directory>', 'directory to write to')
    .option(
      '--users <number>',
      'number of people; the numbers of all other objects depend on it',
      integer(1, 10_000_000),
      1000,
    )
    .option(
      '--seed <number>',
      'seed; the same seed and date give the same files',
      integer(-(2 ** 31), 2 ** 31 - 1),
      1,
    )
    .addOption(
      new Option('--date <date>', 'day of the collection; all times in the files are relative to it')
        .argParser(day)
        .default(startOfDay(), 'today'),
    )
    .option(
      '--domains <number>',
      'domains of the forest and of the forests that it trusts (default: 3, or dependent on the seed in shape 3)',
      integer(1, 20),
    )
    .option(
      '--shape <number>',
      'distributions: 2 is realistic, 3 is realistic with flaws that depend on the seed, 1 gives the files of earlier versions',
      integer(1, 3),
      2,
    )
    .addOption(
      new Option(
        '--flaws <which>',
        'flaws of the organization: none gives the same objects without planted flaws',
      )
        .choices(FLAWS)
        .default('all'),
    )
    .option(
      '--changed-every <number>',
      'write a later state, in which one of this many users, groups, and computers differs',
      integer(1, 10_000_000),
    )
    .option('--zip', 'write one archive instead of separate files')
    .addOption(new Option('--only <parts...>', 'write only these parts').choices(PARTS))
    .action(({ only, date, ...options }) =>
      choose(() => generate(context, { ...options, collectedAt: date, parts: only })),
    );

  program
    .command('demo')
    .description('run a temporary service with a synthetic organization; nothing is kept')
    .option('--users <number>', 'number of people in the forest', integer(1, 1_000_000), 1000)
    .option('--seed <number>', 'seed; another seed gives another forest', integer(-(2 ** 31), 2 ** 31 - 1), 1)
    .option('--exit', 'stop after the demonstration')
    .action((options) => choose(() => demo(context, options)));
}
