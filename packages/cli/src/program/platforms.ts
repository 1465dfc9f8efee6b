/** Commands for security platforms: actions, connector, playbook, tools for models, webhooks. */
import { Argument, type Command } from 'commander';
import { ACTIONS, type ActionName, action } from '../commands/action.ts';
import { connectorStatus, runOnce, test as testConnector, watch } from '../commands/connector.ts';
import { investigate } from '../commands/investigate.ts';
import { addWebhook, removeWebhook, testWebhook, webhookDeliveries, webhooks } from '../commands/webhooks.ts';
import type { Context } from '../context.ts';
import { type Choose, integer, jsonOption, list, urlOption } from './options.ts';

export function addActionCommands(program: Command, context: Context, choose: Choose): void {
  const actions = program.command('action').description('run the analyst actions of security platforms');
  for (const [name, description] of Object.entries(ACTIONS) as [ActionName, string][]) {
    const command = actions.command(name).description(description);
    if (name !== 'ping') command.argument('<items...>', 'names, IDs, or pairs; - reads standard input');
    command
      .addOption(urlOption())
      .addOption(jsonOption())
      .action((...all) => {
        // The last two are the options and the command itself.
        const [words, options] = name === 'ping' ? [[], all[0]] : [all[0], all[1]];
        choose(() => action(context, name, words, options));
      });
  }
}

const CONNECTOR_COMMANDS = [
  [
    'run',
    'run the connector once; the exit code is 0 for complete, 1 for failed, 2 for an invalid configuration, 3 for partial',
    runOnce,
  ],
  ['watch', 'run the connector every few minutes until it is interrupted', watch],
  [
    'test',
    'check the connection to the service and to the platform; nothing is stored or delivered',
    testConnector,
  ],
  ['status', 'show records that wait for delivery, and records that the platform refused', connectorStatus],
] as const;

export function addConnectorCommands(program: Command, context: Context, choose: Choose): void {
  const connector = program
    .command('connector')
    .description('send findings to a security platform, or repairs to a ticket system (docs/integration.md)');
  for (const [name, description, command] of CONNECTOR_COMMANDS) {
    const added = connector
      .command(name)
      .description(description)
      .requiredOption('--config <file>', 'configuration file of the connector, JSON')
      .addOption(jsonOption())
      .action((options) => choose(() => command(context, options)));
    if (command === runOnce || command === watch)
      added.option(
        '--metrics <file>',
        'write metrics of each run to this file, for the Prometheus node exporter',
      );
  }
  addWebhookCommands(program, context, choose);
  program
    .command('investigate')
    .description('check whether an alert is still valid: attack path, assets, verdict, and summary')
    .argument('<file>', 'an alert of the connector or one of its events as JSON, or - for standard input')
    .option('--out <file>', 'also write the summary to this file')
    .addOption(urlOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExit code: 0 the attack path exists, 10 fixed, 11 accepted, 12 pending, 1 undecided, 2 not an alert.',
    )
    .action((file, options) => choose(() => investigate(context, file, options)));
  program
    .command('mcp')
    .description(
      'serve read-only tools for language models over the Model Context Protocol; the service itself offers them at /api/v2/mcp',
    )
    .option(
      '--http <host:port>',
      'listen on this address instead of standard input and output; clients send their own credentials',
    )
    .option('--actions', 'also offer the analyst actions as tools')
    .addOption(urlOption())
    // Loaded on demand, because its library takes longer to load than most commands to run.
    .action((options) => choose(async () => (await import('../commands/mcp.ts')).mcp(context, options)));
}

export function addWebhookCommands(program: Command, context: Context, choose: Choose): void {
  const name = () => new Argument('<webhook>', 'name or ID of the webhook');
  program
    .command('webhooks')
    .description('list webhooks with the number of events that could not be delivered')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => webhooks(context, options)));
  const webhook = program.command('webhook').description('manage webhooks (docs/reference/webhooks.md)');
  webhook
    .command('add')
    .description('create a webhook; its signing secret is shown once')
    .argument('<name>', 'name of the webhook')
    .argument('<address>', 'https URL that receives the events')
    .option(
      '--events <types>',
      'types of events, comma-separated; finding.opened,finding.resolved when absent',
      list,
    )
    .option('--severity <severity>', 'minimum severity of findings: low, moderate, high, or critical')
    .option('--exposure-above <percent>', 'exposure above which posture.worsened is sent', integer(0, 100))
    .option(
      '--environments <ids>',
      'limit the webhook to these environments: object IDs, comma-separated',
      list,
    )
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((who, address, options) => choose(() => addWebhook(context, who, address, options)));
  webhook
    .command('test')
    .description('send a test event')
    .addArgument(name())
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((who, options) => choose(() => testWebhook(context, who, options)));
  webhook
    .command('deliveries')
    .description('list deliveries, newest first')
    .addArgument(name())
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((who, options) => choose(() => webhookDeliveries(context, who, options)));
  webhook
    .command('remove')
    .description('delete a webhook')
    .addArgument(name())
    .addOption(urlOption())
    .action((who, options) => choose(() => removeWebhook(context, who, options)));
}
