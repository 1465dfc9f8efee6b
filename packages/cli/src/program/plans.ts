/** Commands about plans: what to repair first, what if, what cannot be changed, and how far one is. */
import { type Command, Option } from 'commander';
import { chokePoints, PLAN_FORMATS, plan, simulate } from '../commands/plan.ts';
import { addConstraint, listConstraints, removeConstraint } from '../commands/planConstraints.ts';
import { reviewPlan } from '../commands/planReview.ts';
import { adoptPlan, deletePlan, listPlans, planProgress, showPlan } from '../commands/savedPlans.ts';
import type { Context } from '../context.ts';
import { type Choose, collect, dayText, integer, jsonOption, urlOption, withJson } from './options.ts';

export function addPlanCommands(program: Command, context: Context, choose: Choose): void {
  const planCommand = program
    .command('plan')
    .description('what to repair first: cards of changes that keep most out of Tier Zero, and what each does')
    .option('--limit <number>', 'cards at most', integer(1, 50), 5)
    .option('--goal <percent>', 'share of each environment that may stay exposed', integer(0, 100))
    .option('--environment <id>', 'only principals and targets of this one; repeatable', collect)
    .option('--within <id>', 'only changes of objects of this environment; repeatable', collect)
    .option(
      '--owned-by <label>',
      'only changes of objects that have this label, by its number',
      integer(1, 2 ** 31 - 1),
    )
    .option('--exclude <key>', 'a package or card that cannot be changed; repeatable', collect)
    .option('--cost <kind:number>', 'cost of a kind of repair; repeatable', collect)
    .addOption(new Option('--zone <name>', 'for this zone instead of Tier Zero: name or number'))
    .addOption(new Option('--format <format>', 'how to print it').choices(PLAN_FORMATS).default('text'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => plan(context, withJson(options))));
  planCommand
    .command('review')
    .description('go through the cards one by one, and say what cannot be changed')
    .addOption(new Option('--zone <name>', 'for this zone instead of Tier Zero: name or number'))
    .addOption(urlOption())
    .action((_, command) => choose(() => reviewPlan(context, command.optsWithGlobals())));
  addConstraintCommands(planCommand, context, choose);

  program
    .command('choke-points')
    .description('objects and relations that every attack path of most principals runs through')
    .option('--limit <number>', 'of each at most', integer(1, 1000), 10)
    .option('--uncuttable', 'with relationships that no one can take away')
    .addOption(new Option('--zone <name>', 'into this zone instead of Tier Zero: name or number'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => chokePoints(context, options)));

  program
    .command('simulate')
    .description('what a change would do to exposure and findings; nothing is stored')
    .option('--repairs <number>', 'the changes of the first so many cards of the plan', integer(1, 50))
    .option('--remove <relations...>', 'relations to take away: "FROM RELATION TO", by object ids')
    .option('--disable <ids...>', 'principals to disable, by object ids')
    .option('--save <name>', 'save it as a plan')
    .option('--file <path>', 'changes as JSON, as the API takes them')
    .addOption(new Option('--zone <name>', 'of this zone instead of Tier Zero: name or number'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => simulate(context, options)));

  const plans = program.command('plans').description('plans that were saved, and how far they are');
  plans
    .command('list', { isDefault: true })
    .description('list them, the newest first')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => listPlans(context, options)));
  plans
    .command('show')
    .description('what of a plan is done, and what the rest would do now')
    .argument('<id>', 'number of the plan', integer(1, 2 ** 31 - 1))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id, options) => choose(() => showPlan(context, id, options)));
  plans
    .command('adopt')
    .description('start to carry out the plan: later analyses are compared with it')
    .argument('<name>', 'what to call it')
    .option('--cards <number>', 'the first so many cards; all when absent', integer(1, 50))
    .addOption(new Option('--zone <name>', 'of this zone instead of Tier Zero: name or number'))
    .addOption(urlOption())
    .action((name, options) => choose(() => adoptPlan(context, name, options)));
  plans
    .command('progress')
    .description('how far the plans are that were started')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => planProgress(context, options)));
  plans
    .command('delete')
    .description('remove a plan')
    .argument('<id>', 'number of the plan', integer(1, 2 ** 31 - 1))
    .addOption(urlOption())
    .action((id, options) => choose(() => deletePlan(context, id, options)));
}

function addConstraintCommands(planCommand: Command, context: Context, choose: Choose): void {
  const constraints = planCommand
    .command('constraints')
    .description('what cannot be changed, so that plans work around it');
  constraints
    .command('list', { isDefault: true })
    .description('list them, the newest first')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((_, command) => choose(() => listConstraints(context, command.optsWithGlobals())));
  constraints
    .command('add')
    .description('say what cannot be changed')
    .option('--card <number>', 'the changes of this card of the plan', integer(1, 50))
    .option('--object <id>', 'an object')
    .option('--container <id>', 'a container, unit or domain, and all below it')
    .option('--kind <kind>', 'a kind of repair')
    .requiredOption('--reason <text>', 'why')
    .option('--until <date>', 'from then on it can be changed again: YYYY-MM-DD', dayText)
    .addOption(new Option('--zone <name>', 'of the plan of this zone instead of Tier Zero: name or number'))
    .addOption(urlOption())
    .action((_, command) => choose(() => addConstraint(context, command.optsWithGlobals())));
  constraints
    .command('remove')
    .description('let plans change it again')
    .argument('<id>', 'number of the constraint', integer(1, 2 ** 31 - 1))
    .addOption(urlOption())
    .action((id, _, command) => choose(() => removeConstraint(context, id, command.optsWithGlobals())));
}
