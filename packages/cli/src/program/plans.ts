/** Commands about plans: what to repair first, what-if, constraints, and progress. */
import { type Command, Option } from 'commander';
import { answerAuthority } from '../commands/authorityAnswers.ts';
import { chokePoints, PLAN_FORMATS, plan, simulate } from '../commands/plan.ts';
import { addConstraint, listConstraints, removeConstraint } from '../commands/planConstraints.ts';
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
    .description('show what to repair first: cards of changes, in order, with the effect of each')
    .option('--limit <number>', 'maximum number of cards', integer(1, 50), 5)
    .option(
      '--goal <percent>',
      'exposure in percent of each environment at which the plan stops',
      integer(0, 100),
    )
    .option(
      '--environment <name>',
      'count only principals and targets of this environment, by name or object id; repeatable',
      collect,
    )
    .option(
      '--within <environment>',
      'propose only changes to objects of this environment, by name or object id; repeatable',
      collect,
    )
    .option(
      '--owned-by <label>',
      'propose only changes to objects that have this label, by its name or number',
    )
    .option('--exclude <key>', 'leave out this package or card, by its key; repeatable', collect)
    .option('--cost <kind:number>', 'cost of a kind of repair; repeatable', collect)
    .option('--explain', 'say how the plan was made: its searches, and the seconds of each stage')
    .option('--scripts <folder>', 'write the change kit of each card into a new folder below this one')
    .addOption(new Option('--zone <name>', 'name or number of the zone; Tier Zero when absent'))
    .addOption(new Option('--format <format>', 'output format').choices(PLAN_FORMATS).default('text'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => plan(context, withJson(options))));
  planCommand
    .command('review')
    .description('review the cards one by one and say what you cannot change')
    .addOption(new Option('--zone <name>', 'name or number of the zone; Tier Zero when absent'))
    .addOption(urlOption())
    .action((_, command) => choose(() => reviewPlan(context, command.optsWithGlobals())));
  addConstraintCommands(planCommand, context, choose);
  planCommand
    .command('answer')
    .description(
      'answer whether a certification authority has the update of November 2024; without an authority, list the questions',
    )
    .argument('[authority]', 'certification authority, by name or object id')
    .option('--updated', 'it has the update: ADCSESC15 over it does not count')
    .option('--not-updated', 'it does not have the update')
    .option('--withdraw', 'take the answer back')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((authority, _, command) =>
      choose(() => answerAuthority(context, authority, command.optsWithGlobals())),
    );

  program
    .command('choke-points')
    .description('show choke points: objects and relationships on every attack path of the most principals')
    .option('--limit <number>', 'maximum number of objects and of relationships', integer(1, 1000), 10)
    .option('--uncuttable', 'include relationships that no one can remove')
    .addOption(new Option('--zone <name>', 'name or number of the zone; Tier Zero when absent'))
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
    .option('--remove <relations...>', 'relationships to remove: "FROM KIND TO", by object ids')
    .option('--disable <ids...>', 'principals to disable, by object ids')
    .option('--save <name>', 'save the changes as a plan with this name')
    .option('--file <path>', 'file with the changes as JSON, in the shape of the API')
    .addOption(new Option('--zone <name>', 'name or number of the zone; Tier Zero when absent'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => simulate(context, options)));

  const plans = program.command('plans').description('manage saved plans');
  plans
    .command('list', { isDefault: true })
    .description('list them, the newest first')
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
    .option('--cards <number>', 'number of cards to take, from the first; all when absent', integer(1, 50))
    .addOption(new Option('--zone <name>', 'name or number of the zone; Tier Zero when absent'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((name, options) => choose(() => adoptPlan(context, name, options)));
  plans
    .command('progress')
    .description('show the progress of the plans that were started')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => planProgress(context, options)));
  plans
    .command('proof')
    .description('show the proof of a started plan: changed facts, uploads, marks, and the measured effect')
    .argument('<id>', 'number of the plan', integer(1, 2 ** 31 - 1))
    .option('--month <month>', 'only what happened in this month, in UTC: YYYY-MM', monthText)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id, options) => choose(() => planProof(context, id, options)));
  plans
    .command('mark')
    .description('say that changes of a plan are done, before a collection shows it')
    .argument('<id>', 'number of the plan', integer(1, 2 ** 31 - 1))
    .argument('<changes...>', 'numbers of changes, as clew plans progress lists them', collectIntegers)
    .option('--note <text>', 'a ticket, or a note about the change')
    .option('--undo', 'remove the mark')
    .addOption(urlOption())
    .action((id, changes, options) => choose(() => markPlan(context, id, changes, options)));
  plans
    .command('assign')
    .description('set the owner, the due date or the notes of a repair of a started plan')
    .argument('<id>', 'number of the plan', integer(1, 2 ** 31 - 1))
    .argument('<repair>', 'number of the repair, as clew plans progress lists them', integer(1, 2 ** 31 - 1))
    .option('--owner <name>', 'user who carries it out')
    .option('--no-owner', 'remove the owner')
    .option('--due <date>', 'day until which it is to be done: YYYY-MM-DD', dayText)
    .option('--no-due', 'remove the due date')
    .option('--notes <text>', 'notes about it; empty text removes them')
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
    .description('manage what you cannot change; plans work around it');
  constraints
    .command('list', { isDefault: true })
    .description('list them, the newest first')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((_, command) => choose(() => listConstraints(context, command.optsWithGlobals())));
  constraints
    .command('add')
    .description('add a constraint: say what you cannot change, and why')
    .option('--card <number>', 'the changes of this card of the plan', integer(1, 50))
    .option('--object <id>', 'an object, by object id')
    .option(
      '--container <id>',
      'a container, organizational unit, or domain with everything in it, by object id',
    )
    .option('--kind <kind>', 'a kind of repair')
    .option('--unneeded', 'answer the questions of the card: no one needs what its changes take')
    .requiredOption('--reason <text>', 'reason')
    .option('--until <date>', 'day on which the constraint ends: YYYY-MM-DD', dayText)
    .addOption(new Option('--zone <name>', 'name or number of the zone; Tier Zero when absent'))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((_, command) => choose(() => addConstraint(context, command.optsWithGlobals())));
  constraints
    .command('remove')
    .description('remove a constraint, so that plans may propose the change again')
    .argument('<id>', 'number of the constraint', integer(1, 2 ** 31 - 1))
    .addOption(urlOption())
    .action((id, _, command) => choose(() => removeConstraint(context, id, command.optsWithGlobals())));
}
