/** Commands that read a directory or a tenant. */
import type { Command } from 'commander';
import { collect } from '../commands/collect.ts';
import { collectEntra } from '../commands/collectEntra.ts';
import { collectorRun } from '../commands/collectorRun.ts';
import type { Context } from '../context.ts';
import { type Choose, collect as repeated, urlOption } from './options.ts';

/** Options for controllers and the account. */
const fromDirectory = (command: Command): Command =>
  command
    .requiredOption(
      '--host <name>',
      'domain controller; repeatable: the next one is used if one does not respond',
      repeated,
    )
    .option('--address <address>', 'address of the first domain controller, if its name cannot be resolved')
    .option('--user <name>', 'account with its domain, such as reader@example.test')
    .option(
      '--password-file <file>',
      'file with the password (CLEW_COLLECT_PASSWORD_FILE); the command asks for it if absent',
    )
    .option('--keytab <file>', 'keytab with the key of the account')
    .option('--cache <file>', 'Kerberos credential cache (from kinit)')
    .option('--certificate <file>', 'certificate of the account, with --key')
    .option('--key <file>', 'private key of the certificate')
    .option('--ldaps', 'use TLS on port 636; by default, Kerberos encrypts on port 389')
    .option('--starttls', 'use StartTLS on port 389')
    .option('--ca <file>', 'certificate of the CA of the domain controllers; default: the CAs of the system')
    .option('--sysvol <directory>', 'SYSVOL as a directory on this host, for group policy settings')
    .option('--writes', 'also read when and on which domain controller settings were last written; more data')
    .option('--forest', 'collect all domains of the forest, each from its own domain controller')
    .option(
      '--domain-host <domain=name>',
      'domain controller of another domain of the forest, such as south.example.test=dc2.south.example.test; repeatable',
      repeated,
    );

export function addCollectCommands(program: Command, context: Context, choose: Choose): void {
  fromDirectory(program.command('collect'))
    .description('collect a domain with an ordinary account, upload the data, and show what to repair first')
    .option('--check', 'only show what the account can see, and what to announce')
    .option(
      '--probe <name>',
      'also probe hosts over the network: smb-signing, web-enrollment, ldap-signing; repeatable',
      repeated,
    )
    .option(
      '--list-probes',
      'only list the hosts that --probe would contact, one per line; nothing is uploaded',
    )
    .option('--probe-rate <number>', 'probes started per second (default: 10)')
    .option('--out <directory>', 'write collection files instead of uploading them')
    .addOption(urlOption())
    .action((options) => choose(() => collect(context, options)));

  program
    .command('collect-entra')
    .description(
      'collect an Entra ID tenant through Microsoft Graph, upload the data, and show what to repair first',
    )
    .requiredOption('--tenant <name>', 'ID or domain of the tenant')
    .requiredOption('--client-id <id>', 'ID of the application that signs in')
    .option(
      '--secret-file <file>',
      'file with the secret of the application (CLEW_COLLECT_SECRET_FILE); the command asks for it if absent',
    )
    .option('--certificate <file>', 'certificate of the application, with --key')
    .option('--key <file>', 'private key of the certificate')
    .option('--no-resources', 'omit subscriptions, vaults, virtual machines and other Azure resources')
    .option(
      '--state <file>',
      'private file for the state between runs, one for each service: with it, later runs upload only changes of users, groups, members, devices and applications',
    )
    .option('--full <time>', 'with --state: how often to collect everything again; 0 for never (default: 7d)')
    .option('--device-code', 'sign in as a person who enters a code in a browser, for a first test')
    .option('--out <directory>', 'write collection files instead of uploading them')
    .addOption(urlOption())
    .action((options) => choose(() => collectEntra(context, options)));

  const collector = program.command('collector').description('run a collector as a service');
  fromDirectory(collector.command('run'))
    .description('collect whenever the service requests it, until stopped')
    .option(
      '--token-file <file>',
      'file with TOKEN_ID and TOKEN_KEY, as printed by "clew client add" (CLEW_COLLECTOR_TOKEN_FILE)',
    )
    .option('--once', 'run the waiting jobs, and stop')
    .option(
      '--interval <time>',
      'how often to check for changes: 30s, 5m; 0 collects only on request (default: 5m)',
    )
    .option('--sweep <time>', 'how often to check for deleted objects; 0 for never (default: 1h)')
    .option('--full <time>', 'how often to collect everything again; 0 only at the start (default: 7d)')
    .addOption(urlOption())
    .action((options) => choose(() => collectorRun(context, options)));
}
