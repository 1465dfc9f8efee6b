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
      'domain controller; repeatable, the next one is asked when one does not answer',
      repeated,
    )
    .option('--address <address>', 'address of the first controller, where its name does not resolve')
    .option('--user <name>', 'account with its domain, as in reader@example.test')
    .option(
      '--password-file <file>',
      'file with the password (CLEW_COLLECT_PASSWORD_FILE); asked for when absent',
    )
    .option('--keytab <file>', 'keytab with the key of the account')
    .option('--cache <file>', 'credential cache of kinit')
    .option('--certificate <file>', 'certificate of the account, with --key')
    .option('--key <file>', 'private key of the certificate')
    .option('--ldaps', 'encrypt with TLS on port 636; without it Kerberos encrypts on port 389')
    .option('--starttls', 'encrypt with StartTLS on port 389')
    .option('--ca <file>', 'certificate of the authority of the controllers; those of the system when absent')
    .option('--sysvol <directory>', 'SYSVOL as a directory of this host, for settings of group policies');

export function addCollectCommands(program: Command, context: Context, choose: Choose): void {
  fromDirectory(program.command('collect'))
    .description('read a domain with an ordinary account, hand it over, and show what to repair first')
    .option('--check', 'only say what the account may see, and what to announce')
    .option('--forest', 'read all domains of the forest, each by a controller of its own')
    .option(
      '--domain-host <domain=name>',
      'controller of another domain of the forest, as in south.example.test=dc2.south.example.test; repeatable',
      repeated,
    )
    .option(
      '--probe <name>',
      'ask hosts over the network, too: smb-signing, web-enrollment, ldap-signing; repeatable',
      repeated,
    )
    .option('--list-probes', 'only list what --probe would ask, one host a line; nothing is handed over')
    .option('--probe-rate <number>', 'probes that begin in a second (10 when absent)')
    .option('--out <directory>', 'write collection files instead of handing them over')
    .addOption(urlOption())
    .action((options) => choose(() => collect(context, options)));

  program
    .command('collect-entra')
    .description('read a tenant of Entra ID by Microsoft Graph, hand it over, and show what to repair first')
    .requiredOption('--tenant <name>', 'id or domain of the tenant')
    .requiredOption('--client-id <id>', 'id of the application that signs in')
    .option(
      '--secret-file <file>',
      'file with the secret of the application (CLEW_COLLECT_SECRET_FILE); asked for when absent',
    )
    .option('--certificate <file>', 'certificate of the application, with --key')
    .option('--key <file>', 'private key of the certificate')
    .option('--no-resources', 'leave subscriptions, vaults, machines and other resources of Azure out')
    .option('--device-code', 'sign in as a person who enters a code in a browser, for a first try')
    .option('--out <directory>', 'write collection files instead of handing them over')
    .addOption(urlOption())
    .action((options) => choose(() => collectEntra(context, options)));

  const collector = program.command('collector').description('run a collector as a service');
  fromDirectory(collector.command('run'))
    .description('collect whenever the service asks for it, until it is stopped')
    .option(
      '--token-file <file>',
      'file with TOKEN_ID and TOKEN_KEY, as "clew client add" prints them (CLEW_COLLECTOR_TOKEN_FILE)',
    )
    .option('--once', 'run the jobs that wait, and end')
    .option(
      '--interval <time>',
      'how often to ask for changes: 30s, 5m; 0 only collects when asked (5m when absent)',
    )
    .option('--sweep <time>', 'how often to look for deleted objects (1h when absent)')
    .option('--full <time>', 'how often to read everything again (7d when absent)')
    .addOption(urlOption())
    .action((options) => choose(() => collectorRun(context, options)));
}
