/** Commands about findings and exposure over time. */
import { SEVERITIES } from '@clew/api';
import { type Command, Option } from 'commander';
import { acceptances, decideAcceptance } from '../commands/acceptances.ts';
import {
  acceptanceTemplates,
  removeAcceptanceTemplate,
  saveAttachment,
  setAcceptanceTemplate,
} from '../commands/acceptanceTemplates.ts';
import { acceptFindings, reopenFindings } from '../commands/acceptFindings.ts';
import { assignFindings, undoFindings } from '../commands/assignFindings.ts';
import { DIFF_CAUSES, diff } from '../commands/diff.ts';
import { finding } from '../commands/finding.ts';
import { findings, STATUSES } from '../commands/findings.ts';
import { posture } from '../commands/posture.ts';
import { report } from '../commands/report.ts';
import { serviceLevels, setServiceLevels } from '../commands/serviceLevels.ts';
import type { Context } from '../context.ts';
import { type Choose, collect, dayText, integer, jsonOption, urlOption, zoneOption } from './options.ts';

const ownerOption = () =>
  new Option('--owner <user>', 'show only findings of this owner: name of a user, me, or none');

const allOption = () =>
  new Option('--all', 'all findings that match the filters of "clew findings": --severity, --type, ...');

export function addFindingCommands(program: Command, context: Context, choose: Choose): void {
  const findingsCommand = program
    .command('findings')
    .description('list findings, most urgent first')
    .option('--environment <name>', 'show only this environment: name or object ID')
    .addOption(
      new Option('--severity <severity>', 'show only this severity').choices(SEVERITIES.toReversed()),
    )
    .option('--type <id>', 'show only this finding type')
    .addOption(zoneOption())
    .addOption(
      new Option('--status <status>', 'show only findings in this state (default: active)').choices(STATUSES),
    )
    .addOption(ownerOption())
    .option('--overdue', 'show only findings whose due day has passed, the longest overdue first')
    .option('--limit <number>', 'number of findings to show; 0 shows all', integer(0, 1_000_000), 25)
    .option('--csv', 'print all findings as CSV')
    .option('--sarif', 'print all findings as SARIF 2.1.0, for code scanning')
    .addOption(
      new Option('--by <what>', 'group findings that have this in common; one line per group').choices([
        'cause',
        'type',
        'object',
        'repair',
      ]),
    )
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => findings(context, options)));
  findingsCommand
    .command('assign')
    .description('set the owner of findings, by number or for all that match the filters')
    .argument('[ids...]', 'numbers of findings')
    .option('--to <user>', 'name of the owner, or me')
    .option('--clear', 'remove the owner')
    .addOption(allOption())
    .addOption(urlOption())
    .action((ids, _, command) => choose(() => assignFindings(context, ids, command.optsWithGlobals())));
  findingsCommand
    .command('accept')
    .description('accept the risk of findings until a day, by number or for all that match the filters')
    .argument('[ids...]', 'numbers of findings')
    .option('--reason <text>', 'why the risk is accepted, for users who see the finding later')
    .addOption(new Option('--until <date>', 'last day of the acceptance: YYYY-MM-DD').argParser(dayText))
    .option('--days <number>', 'number of days of the acceptance', integer(1, 3650))
    .option('--no-end', 'accept without an end')
    .option('--template <name>', 'template of the reason: gives its text, days and files')
    .option('--file <file>', 'attach this file as evidence; can be repeated', collect)
    .option('--leave-out-of-plan', 'also exclude the changes that close them from the plan, as long')
    .addOption(allOption())
    .addOption(urlOption())
    .action((ids, _, command) => choose(() => acceptFindings(context, ids, command.optsWithGlobals())));
  findingsCommand
    .command('reopen')
    .description('end the acceptance of findings, by number or for all that match the filters')
    .argument('[ids...]', 'numbers of findings')
    .addOption(allOption())
    .addOption(urlOption())
    .action((ids, _, command) => choose(() => reopenFindings(context, ids, command.optsWithGlobals())));
  findingsCommand
    .command('undo')
    .description(
      'undo a bulk change of findings from the last day, for each finding that has not changed since',
    )
    .argument('[change]', 'number of the change (default: the last one)', integer(1, 2 ** 31 - 1))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id, _, command) => choose(() => undoFindings(context, id, command.optsWithGlobals())));

  program
    .command('finding')
    .description('show a finding: source, relationship, target, attack path, and remediation')
    .argument('<id>', 'number of the finding', integer(1, 2 ** 31 - 1))
    .option(
      '--script',
      'write the PowerShell script of its first repair, or of all repairs that close it together, or the steps and why there is no script; nothing is run',
    )
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id, options) => choose(() => finding(context, id, options)));

  addServiceLevelCommands(program, context, choose);
  addAcceptanceCommands(program, context, choose);

  program
    .command('posture')
    .description('show exposure, findings, and attack paths by day')
    .option('--environment <name>', 'show only this environment: name or object ID')
    .addOption(zoneOption())
    .option('--days <number>', 'number of days to look back', integer(1, 3650), 30)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => posture(context, options)));

  program
    .command('report')
    .description('write posture, the most urgent findings, and their remediation as one HTML page')
    .requiredOption('--out <file>', 'file to write')
    .option('--environment <name>', 'show only this environment: name or object ID')
    .addOption(zoneOption())
    .option('--top <number>', 'number of findings to show', integer(1, 500), 20)
    .option('--days <number>', 'number of days of posture', integer(1, 3650), 30)
    .addOption(urlOption())
    .action((options) => choose(() => report(context, options)));

  program
    .command('diff')
    .description('show changes since a time, and which of them affected exposure')
    .option('--since <time>', '7d, 12h, 2w, or a date and time', '7d')
    .option('--until <time>', 'compare with the analysis at this time (default: the latest)')
    .addOption(new Option('--zone <name>', 'name or number of the zone (default: Tier Zero)'))
    .addOption(
      new Option('--by <reason>', 'show only findings that opened or closed for this reason').choices(
        DIFF_CAUSES,
      ),
    )
    .option('--limit <number>', 'maximum number of entries in each list', integer(1, 1000), 10)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => diff(context, options)));
}

function addServiceLevelCommands(program: Command, context: Context, choose: Choose): void {
  const levels = program
    .command('service-levels')
    .description('show after how many days open findings are due, by severity')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => serviceLevels(context, options)));
  const days = (severity: string) =>
    new Option(`--${severity} <days>`, `days until ${severity} findings are due; 0: no due day`).argParser(
      integer(0, 3650),
    );
  levels
    .command('set')
    .description('set after how many days open findings are due; severities that are not named stay')
    .addOption(days('critical'))
    .addOption(days('high'))
    .addOption(days('moderate'))
    .addOption(days('low'))
    .option(
      '--since <date>',
      'first day that counts, for findings that opened earlier: YYYY-MM-DD; at first today',
    )
    .addOption(urlOption())
    .action((_, command) => choose(() => setServiceLevels(context, command.optsWithGlobals())));
}

function addAcceptanceCommands(program: Command, context: Context, choose: Choose): void {
  const waiting = program
    .command('acceptances')
    .description('list acceptances that wait for a second approver')
    .option('--all', 'also list those decided in the last 90 days')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => acceptances(context, options)));
  for (const [decision, description] of [
    ['approve', 'approve an acceptance that another user asked for'],
    ['refuse', 'refuse an acceptance that another user asked for; the findings stay open'],
    ['withdraw', 'withdraw an acceptance that you asked for'],
  ] as const)
    waiting
      .command(decision)
      .description(description)
      .argument('<id>', 'number of the acceptance', integer(1, 2 ** 31 - 1))
      .option('--note <text>', 'why, for the list and the audit log')
      .addOption(urlOption())
      .action((id, _, command) =>
        choose(() => decideAcceptance(context, id, decision, command.optsWithGlobals())),
      );
  waiting
    .command('file')
    .description('save a file that is attached to an acceptance or a template')
    .argument('<id>', 'number of the file', integer(1, 2 ** 31 - 1))
    .requiredOption('--out <file>', 'file to write, which must not exist')
    .addOption(urlOption())
    .action((id, _, command) => choose(() => saveAttachment(context, id, command.optsWithGlobals())));
  const templates = waiting
    .command('templates')
    .description('list the templates of reasons for accepting risks')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((_, command) => choose(() => acceptanceTemplates(context, command.optsWithGlobals())));
  templates
    .command('set')
    .description('create a template, or change the one with this name; options that are missing stay')
    .argument('<name>', 'name of the template')
    .option('--reason <text>', 'text of the reason')
    .option('--days <number>', 'days until an acceptance ends, as a default; 0: no default', integer(0, 3650))
    .option('--file <file>', 'attach this file; can be repeated', collect)
    .option('--without-files', 'remove the files that the template has')
    .addOption(urlOption())
    .action((name, _, command) =>
      choose(() => setAcceptanceTemplate(context, name, command.optsWithGlobals())),
    );
  templates
    .command('remove')
    .description('remove a template; acceptances that used it keep its files')
    .argument('<name>', 'name of the template')
    .addOption(urlOption())
    .action((name, _, command) =>
      choose(() => removeAcceptanceTemplate(context, name, command.optsWithGlobals())),
    );
}
