/** Commands for security platforms: actions, connector, playbook, tools for models, webhooks. */
import { Argument, type Command } from 'commander';
import { ACTIONS, type ActionName, action } from '../commands/action.ts';
import { connectorStatus, runOnce, test as testConnector, watch } from '../commands/connector.ts';
import { investigate } from '../commands/investigate.ts';
import { addWebhook, removeWebhook, testWebhook, webhookDeliveries, webhooks } from '../commands/webhooks.ts';
import type { Context } from '../context.ts';
import { type Choose, integer, jsonOption, list, urlOption } from './options.ts';

export function addActionCommands(program: Command, context: Context, choose: Choose): void {
  const actions = program
    .command('action')
    .description('actions for analysts, as security platforms run them');
  for (const [name, description] of Object.entries(ACTIONS) as [ActionName, string][]) {
    const command = actions.command(name).description(description);
    if (name !== 'ping') command.argument('<items...>', 'names, ids or pairs; - reads standard input');
    command
      .addOption(urlOption())
      .addOption(jsonOption())
      .action((...all) => {
        // The last are the options and the command itself.
        const [words, options] = name === 'ping' ? [[], all[0]] : [all[0], all[1]];
        choose(() => action(context, name, words, options));
      });
  }
}

const CONNECTOR_COMMANDS = [
  ['run', 'one run; the exit code is 0 complete, 1 failed, 2 wrong configuration, 3 partial', runOnce],
  ['watch', 'a run every few minutes, until it is interrupted', watch],
  ['test', 'look at both ends; nothing is remembered or delivered', testConnector],
  ['status', 'what waits for the platform, and what it refused', connectorStatus],
] as const;

export function addConnectorCommands(program: Command, context: Context, choose: Choose): void {
  const connector = program
    .command('connector')
    .description('take findings to a security platform (docs/integration.md)');
  for (const [name, description, command] of CONNECTOR_COMMANDS)
    connector
      .command(name)
      .description(description)
      .requiredOption('--config <file>', 'configuration of the connector, JSON')
      .addOption(jsonOption())
      .action((options) => choose(() => command(context, options)));
  addWebhookCommands(program, context, choose);
  program
    .command('investigate')
    .description('is what an alert says still so: path checks, assets, verdict, a summary')
    .argument('<file>', 'alert of the connector as JSON, or one of its events; - for standard input')
    .option('--out <file>', 'write the summary there, too')
    .addOption(urlOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExit code: 0 the way exists, 10 fixed, 11 accepted, 12 pending, 1 undecided, 2 no alert.',
    )
    .action((file, options) => choose(() => investigate(context, file, options)));
  program
    .command('mcp')
    .description('tools for language models over the Model Context Protocol, read-only')
    .option(
      '--http <host:port>',
      'listen there instead of standard input and output; callers bring their credentials',
    )
    .option('--actions', 'also the actions of security platforms as tools')
    .addOption(urlOption())
    // Its library takes longer to load than most commands to run.
    .action((options) => choose(async () => (await import('../commands/mcp.ts')).mcp(context, options)));
}

export function addWebhookCommands(program: Command, context: Context, choose: Choose): void {
  const name = () => new Argument('<webhook>', 'name or id of the webhook');
  program
    .command('webhooks')
    .description('list who is told of changes, and what could not be delivered')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => webhooks(context, options)));
  const webhook = program
    .command('webhook')
    .description('tell others of changes (docs/reference/webhooks.md)');
  webhook
    .command('add')
    .description('tell an address of changes; the secret of its signatures is shown once')
    .argument('<name>', 'what it is called here')
    .argument('<address>', 'where the events go: https')
    .option('--events <types>', 'comma-separated; finding.opened,finding.resolved when absent', list)
    .option('--severity <severity>', 'findings of this severity and above: low, moderate, high, critical')
    .option('--exposure-above <percent>', 'threshold of posture.worsened', integer(0, 100))
    .option('--environments <ids>', 'only of these environments, by object id, comma-separated', list)
    .addOption(urlOption())
    .action((who, address, options) => choose(() => addWebhook(context, who, address, options)));
  webhook
    .command('test')
    .description('send an event that means nothing')
    .addArgument(name())
    .addOption(urlOption())
    .action((who, options) => choose(() => testWebhook(context, who, options)));
  webhook
    .command('deliveries')
    .description('what it was told, the newest first')
    .addArgument(name())
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((who, options) => choose(() => webhookDeliveries(context, who, options)));
  webhook
    .command('remove')
    .description('tell it nothing any more')
    .addArgument(name())
    .addOption(urlOption())
    .action((who, options) => choose(() => removeWebhook(context, who, options)));
}
