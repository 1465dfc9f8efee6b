/** Commands that query the graph. */
import { Argument, type Command, Option } from 'commander';
import { exportGraph } from '../commands/exportGraph.ts';
import { layers, removeLayer } from '../commands/layers.ts';
import { path } from '../commands/path.ts';
import { QUERY_FORMATS, query, questions } from '../commands/query.ts';
import {
  addSavedQuery,
  changeSavedQuery,
  QUERY_SCOPES,
  removeSavedQuery,
  savedQueries,
  shareSavedQuery,
  unshareSavedQuery,
  unwatchSavedQuery,
  watchChanges,
  watchSavedQuery,
} from '../commands/savedQueries.ts';
import { search } from '../commands/search.ts';
import { whoCanReach } from '../commands/whoCanReach.ts';
import type { Context } from '../context.ts';
import { type Choose, collect, integer, jsonOption, list, urlOption, withJson } from './options.ts';

export function addGraphCommands(program: Command, context: Context, choose: Choose): void {
  program
    .command('search')
    .description('find objects by name or object ID')
    .argument('<text>', 'a name, an object ID, or a part of one')
    .option('--kind <kind>', 'show only objects of this kind, for example User')
    .option('--limit <number>', 'number of objects to show', integer(1, 1000), 10)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((text, options) => choose(() => search(context, text, options)));

  program
    .command('query')
    .description('query the graph in Cypher: "MATCH (u:User) WHERE u.hasspn RETURN u.name"')
    .argument('[query]', 'the query; omit it with --file, --question or --saved')
    .option('--file <path>', 'file that contains the query')
    .option('--question <key>', 'run a built-in query; "clew questions" lists their keys')
    .option('--saved <name>', 'run a saved query; "clew saved-queries" lists their names')
    .addOption(new Option('--format <format>', 'output format').choices(QUERY_FORMATS).default('table'))
    .option(
      '--param <name=value...>',
      'value of $name in the query, as JSON or text; repeatable',
      collect,
      [],
    )
    .option('--wait <seconds>', 'maximum seconds for the query', integer(1, 86_400))
    .option(
      '--layer <name>',
      'read, and change with SET, CREATE, MERGE, REMOVE and DELETE, your layer with this name',
    )
    .option('--explain', 'show the query plan without running the query')
    .option(
      '--partial',
      'at a limit, show the partial results, and for which part of the graph they are complete',
    )
    .option('--profile', 'also show the query plan with the rows and the time of each step')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((text, options) => choose(() => query(context, text, withJson(options))));
  program
    .command('questions')
    .description('list the built-in queries for "clew query --question"')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => questions(context, options)));
  addLayerCommands(program, context, choose);
  addSavedQueryCommands(program, context, choose);

  program
    .command('path')
    .description('show the shortest attack path between two objects')
    .argument('<from>', 'name or object ID')
    .argument('<to>', 'name or object ID')
    .option('--all-kinds', 'also follow relationships that do not give control')
    .option('--only <kinds>', 'follow only these kinds of relationships, comma-separated', list)
    .option('--without <kinds>', 'follow all kinds of relationships except these, comma-separated', list)
    .option('--alternatives <number>', 'show up to this many paths, one per line', integer(1, 25))
    .option('--disjoint', 'with --alternatives: show paths that share no relationship')
    .addOption(
      new Option(
        '--weight <what>',
        'criterion for the best path: the fewest steps, or the lowest attack effort',
      ).choices(['length', 'effort']),
    )
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((from, to, options) => choose(() => path(context, from, to, options)));

  program
    .command('who-can-reach')
    .description(
      'show how many users and computers of its forest or tenant can reach an object, and the easiest path',
    )
    .argument('<object>', 'name or object ID')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((object, options) => choose(() => whoCanReach(context, object, options)));

  program
    .command('export')
    .description('export the graph as OpenGraph JSON')
    .requiredOption('--out <file>', 'file to write, or - for standard output')
    .option(
      '--environment <ids>',
      'export only nodes of these environments: object IDs, comma-separated',
      list,
    )
    .option('--kind <kinds>', 'export only these kinds of nodes and edges, comma-separated', list)
    .addOption(urlOption())
    .action((options) => choose(() => exportGraph(context, options)));
}

function addLayerCommands(program: Command, context: Context, choose: Choose): void {
  program
    .command('layers')
    .description('list your layers, which "clew query --layer" changes')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => layers(context, options)));
  const layer = program.command('layer').description('manage layers (docs/cypher.md)');
  layer
    .command('remove')
    .description('end a layer, with all that its queries changed')
    .argument('<name>', 'name of the layer')
    .addOption(urlOption())
    .action((name, options) => choose(() => removeLayer(context, name, options)));
}

function addSavedQueryCommands(program: Command, context: Context, choose: Choose): void {
  const name = () => new Argument('<name>', 'name or number of the saved query');
  program
    .command('saved-queries')
    .description('list saved queries, with the changes of watched ones')
    .addOption(new Option('--scope <scope>', 'which queries to list').choices(QUERY_SCOPES).default('all'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => savedQueries(context, options)));
  const saved = program.command('saved-query').description('manage saved queries (docs/cypher.md)');
  saved
    .command('add')
    .description('save a query')
    .argument('<name>', 'name of the query')
    .argument('[query]', 'the query; omit it with --file')
    .option('--file <path>', 'file that contains the query')
    .option('--description <text>', 'purpose of the query')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((title, text, options) => choose(() => addSavedQuery(context, title, text, options)));
  saved
    .command('change')
    .description('rename a saved query, or change its text or description')
    .addArgument(name())
    .option('--name <name>', 'new name')
    .option('--query <query>', 'new query')
    .option('--file <path>', 'file that contains the new query')
    .option('--description <text>', 'new description')
    .addOption(urlOption())
    .action((title, options) => choose(() => changeSavedQuery(context, title, options)));
  saved
    .command('remove')
    .description('delete a saved query')
    .addArgument(name())
    .addOption(urlOption())
    .action((title, options) => choose(() => removeSavedQuery(context, title, options)));
  saved
    .command('share')
    .description('share a saved query with other users')
    .addArgument(name())
    .option('--users <users>', 'e-mail addresses or IDs of users, comma-separated', list)
    .option('--everyone', 'share it with all users')
    .addOption(urlOption())
    .action((title, options) => choose(() => shareSavedQuery(context, title, options)));
  saved
    .command('unshare')
    .description('stop sharing a saved query with other users')
    .addArgument(name())
    .option('--users <users>', 'e-mail addresses or IDs of users, comma-separated (default: all)', list)
    .addOption(urlOption())
    .action((title, options) => choose(() => unshareSavedQuery(context, title, options)));
  saved
    .command('watch')
    .description('run a saved query with each analysis, and record new and removed rows')
    .addArgument(name())
    .addOption(urlOption())
    .action((title, options) => choose(() => watchSavedQuery(context, title, options)));
  saved
    .command('unwatch')
    .description('stop watching a saved query, and delete the results of the watch')
    .addArgument(name())
    .addOption(urlOption())
    .action((title, options) => choose(() => unwatchSavedQuery(context, title, options)));
  saved
    .command('changes')
    .description('show new and removed rows of a watched query, newest first')
    .addArgument(name())
    .option('--limit <number>', 'number of changes to show', integer(1, 1000), 100)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((title, options) => choose(() => watchChanges(context, title, options)));
}
