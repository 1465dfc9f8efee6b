/** Commands about plans: what to repair first, what-if, constraints, and progress. */
import { type Command, Option } from 'commander';
import { answerAuthority } from '../commands/authorityAnswers.ts';
import { chokePoints, PLAN_FORMATS, plan, simulate } from '../commands/plan.ts';
import { addConstraint, listConstraints, removeConstraint } from '../commands/planConstraints.ts';
import { addPlanEvidence } from '../commands/planEvidence.ts';
import { planProof } from '../commands/planProof.ts';
import { reviewPlan } from '../commands/planReview.ts';
import {
  adoptPlan,
  assignRepair,
  deletePlan,
  listPlans,
  markPlan,
  planProgress,
  showPlan,
} from '../commands/savedPlans.ts';
import type { Context } from '../context.ts';
import {
  type Choose,
  collect,
  dayText,
  integer,
  jsonOption,
  monthText,
  urlOption,
  withJson,
} from './options.ts';

export function addPlanCommands(program: Command, context: Context, choose: Choose): void {
  const planCommand = program
    .command('plan')
    .description('show what to repair first: cards of changes, in order, with the effect of each card')
    .option('--limit <number>', 'maximum number of cards', integer(1, 50), 5)
    .option(
      '--goal <percent>',
      'exposure of each environment, in percent, at which the plan stops',
      integer(0, 100),
    )
    .option(
      '--environment <name>',
      'count only principals and targets of this environment, by name or object ID; repeatable',
      collect,
    )
    .option(
      '--within <environment>',
      'propose only changes to objects of this environment, by name or object ID; repeatable',
      collect,
    )
    .option('--owned-by <label>', 'propose only changes to objects with this label, by its name or number')
    .option('--exclude <key>', 'leave out this package or card, by its key; repeatable', collect)
    .option('--cost <kind:number>', 'cost of a kind of repair; repeatable', collect)
    .option('--explain', 'explain how the plan was computed: its searches, and the seconds of each stage')
    .option('--scripts <folder>', 'write the change kit of each card into a new folder inside this one')
    .option(
      '--rules <folder>',
      'write detection rules for the paths that remain after all cards into a new folder',
    )
    .addOption(new Option('--zone <name>', 'name or number of the zone (default: Tier Zero)'))
    .addOption(new Option('--format <format>', 'output format').choices(PLAN_FORMATS).default('text'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => plan(context, withJson(options))));
  planCommand
    .command('review')
    .description('review the cards one by one, and record what you cannot change')
    .addOption(new Option('--zone <name>', 'name or number of the zone (default: Tier Zero)'))
    .addOption(urlOption())
    .action((_, command) => choose(() => reviewPlan(context, command.optsWithGlobals())));
  addConstraintCommands(planCommand, context, choose);
  planCommand
    .command('answer')
    .description('answer whether a CA has the update of November 2024; without a CA, list the questions')
    .argument('[authority]', 'CA, by name or object ID')
    .option('--updated', 'it has the update: ADCSESC15 over it does not count')
    .option('--not-updated', 'it does not have the update')
    .option('--withdraw', 'withdraw the answer')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((authority, _, command) =>
      choose(() => answerAuthority(context, authority, command.optsWithGlobals())),
    );

  program
    .command('choke-points')
    .description(
      'show choke points: objects and relationships on every attack path of the largest number of principals',
    )
    .option('--limit <number>', 'maximum number of objects and of relationships', integer(1, 1000), 10)
    .option('--uncuttable', 'include relationships that cannot be removed')
    .addOption(new Option('--zone <name>', 'name or number of the zone (default: Tier Zero)'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => chokePoints(context, options)));

  program
    .command('simulate')
    .description('show the effect of changes on exposure and findings; nothing is changed')
    .option(
      '--repairs <number>',
      'simulate the changes of the first cards of the plan, up to this number',
      integer(1, 50),
    )
    .option('--remove <relations...>', 'relationships to remove: "FROM KIND TO", with object IDs')
    .option('--disable <ids...>', 'principals to disable, by object IDs')
    .option('--save <name>', 'save the changes as a plan with this name')
    .option('--file <path>', 'JSON file with the changes, in the format of the API')
    .option(
      '--paths <number>',
      'list the easiest remaining paths, up to this number, and the repairs that close each',
      integer(1, 10),
    )
    .addOption(new Option('--zone <name>', 'name or number of the zone (default: Tier Zero)'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => simulate(context, options)));

  const plans = program.command('plans').description('manage saved plans');
  plans
    .command('list', { isDefault: true })
    .description('list saved plans, newest first')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => listPlans(context, options)));
  plans
    .command('show')
    .description('show which changes of a plan are done, and the effect of the remaining ones now')
    .argument('<id>', 'number of the plan', integer(1, 2 ** 31 - 1))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id, options) => choose(() => showPlan(context, id, options)));
  plans
    .command('adopt')
    .description('start the current plan: later analyses show its progress')
    .argument('<name>', 'name of the saved plan')
    .option('--cards <number>', 'number of cards to include, from the first (default: all)', integer(1, 50))
    .addOption(new Option('--zone <name>', 'name or number of the zone (default: Tier Zero)'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((name, options) => choose(() => adoptPlan(context, name, options)));
  plans
    .command('progress')
    .description('show the progress of started plans')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => planProgress(context, options)));
  plans
    .command('proof')
    .description('show the proof of a started plan: changed facts, uploads, marks, and the measured effect')
    .argument('<id>', 'number of the plan', integer(1, 2 ** 31 - 1))
    .option('--month <month>', 'show only this month, in UTC: YYYY-MM', monthText)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id, options) => choose(() => planProof(context, id, options)));
  plans
    .command('evidence')
    .description(
      'add transcripts and backups of change kits to a started plan, and compare them with collections',
    )
    .argument('<id>', 'number of the plan', integer(1, 2 ** 31 - 1))
    .argument('<files...>', 'transcripts (.txt) and backups (.backup.json)')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id, files, options) => choose(() => addPlanEvidence(context, id, files, options)));
  plans
    .command('mark')
    .description('mark changes of a plan as done before a collection shows it')
    .argument('<id>', 'number of the plan', integer(1, 2 ** 31 - 1))
    .argument('<changes...>', 'numbers of changes, as listed by clew plans progress', collectIntegers)
    .option('--note <text>', 'a ticket, or a note about the change')
    .option('--undo', 'remove the mark')
    .addOption(urlOption())
    .action((id, changes, options) => choose(() => markPlan(context, id, changes, options)));
  plans
    .command('assign')
    .description('set the owner, the due date or the notes of a repair of a started plan')
    .argument('<id>', 'number of the plan', integer(1, 2 ** 31 - 1))
    .argument('<repair>', 'number of the repair, as listed by clew plans progress', integer(1, 2 ** 31 - 1))
    .option('--owner <name>', 'user who makes the repair')
    .option('--no-owner', 'remove the owner')
    .option('--due <date>', 'due date: YYYY-MM-DD', dayText)
    .option('--no-due', 'remove the due date')
    .option('--notes <text>', 'notes about the repair; empty text removes them')
    .addOption(urlOption())
    .action((id, repair, options) => choose(() => assignRepair(context, id, repair, options)));
  plans
    .command('delete')
    .description('delete a plan')
    .argument('<id>', 'number of the plan', integer(1, 2 ** 31 - 1))
    .addOption(urlOption())
    .action((id, options) => choose(() => deletePlan(context, id, options)));
}

const number = integer(1, 2 ** 31 - 1);
const collectIntegers = (text: string, before: number[] = []): number[] => [...before, number(text)];

function addConstraintCommands(planCommand: Command, context: Context, choose: Choose): void {
  const constraints = planCommand
    .command('constraints')
    .description('manage constraints: what you cannot change; plans work around them');
  constraints
    .command('list', { isDefault: true })
    .description('list constraints, newest first')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((_, command) => choose(() => listConstraints(context, command.optsWithGlobals())));
  constraints
    .command('add')
    .description('add a constraint: record what you cannot change, and why')
    .option('--card <number>', 'the changes of this card of the plan', integer(1, 50))
    .option(
      '--change <number>',
      'only this change of the card; repeatable, default: all. "add" lists the changes with their numbers',
      collectIntegers,
    )
    .option('--object <id>', 'an object, by object ID')
    .option(
      '--container <id>',
      'a container, organizational unit, or domain with everything in it, by object ID',
    )
    .option('--kind <kind>', 'a kind of repair')
    .option('--unneeded', 'answer the questions of the card: no one needs the access that its changes remove')
    .requiredOption('--reason <text>', 'reason')
    .option('--until <date>', 'last day of the constraint: YYYY-MM-DD', dayText)
    .addOption(new Option('--zone <name>', 'name or number of the zone (default: Tier Zero)'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((_, command) => choose(() => addConstraint(context, command.optsWithGlobals())));
  constraints
    .command('remove')
    .description('remove a constraint, so that plans can propose the change again')
    .argument('<id>', 'number of the constraint', integer(1, 2 ** 31 - 1))
    .addOption(urlOption())
    .action((id, _, command) => choose(() => removeConstraint(context, id, command.optsWithGlobals())));
}
