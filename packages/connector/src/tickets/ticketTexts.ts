/** Titles and bodies of tickets and of their events, before any markup. */
import { countedBe, minuteText } from '@clew/model';
import type { Block, Run } from './blocks.ts';
import { plainLine, quoted } from './blocks.ts';
import type { StartedChange, StartedPlan } from './planSource.ts';
import { type CardOfRepair, hasFacts, isContradicted, isDone, type PlanRepair } from './repairs.ts';
import type { NewTicket } from './workSystem.ts';

const MAX_TITLE = 200;
/** Maximum number of changes that a ticket names; the page of the repair lists all. */
const MAX_CHANGES = 30;
/** Maximum number of facts that an event names. */
const MAX_FACTS = 10;

/** A collection reads one domain controller, and entries of protected accounts are copied every hour. */
const REPLICATION =
  'A collection shortly after a change of the directory may not show it yet: the change has to be replicated to the domain controller that the collector reads, and changes of protected accounts can take an hour.';

/** @param server address of the service, without a trailing slash */
export function newTicket(server: string, one: PlanRepair, card: CardOfRepair | undefined): NewTicket {
  const { key, plan, repair, changes } = one;
  const open = changes.filter((change) => !isDone(change));
  const left = open.length - MAX_CHANGES;
  const facts: Run[] = [
    'Repair ',
    String(repair.number),
    ' of the started plan ',
    quoted(plan.name),
    '.',
    ...(repair.owner === null ? [] : [' Owner: ', quoted(repair.owner.name), '.']),
    ...(repair.due === null ? [] : [` Due: ${dayText(repair.due)}.`]),
  ];
  return {
    key,
    title: repairTitle(one),
    body: [
      { paragraph: facts },
      { heading: 'Changes' },
      { list: open.slice(0, MAX_CHANGES).map(({ title }) => [quoted(title)]) },
      ...(left > 0 ? [{ paragraph: [`${left} more are on the page of the repair.`] }] : []),
      ...stepsOf(card),
      { heading: 'Exposure' },
      { paragraph: [exposureText(plan, card)] },
      { paragraph: [repairLink(server, one)] },
      {
        paragraph: [
          'When you close this ticket, you confirm that the changes are made. A later collection that looks at all of their facts verifies them: it closes the repair, or reopens this ticket once. ',
          'Sessions and settings of hosts take longer: a session that is not seen again, or a host that does not answer, proves nothing. ',
          REPLICATION,
        ],
      },
    ],
  };
}

export const repairTitle = ({ repair }: PlanRepair): string => plainLine(repair.title, MAX_TITLE);

export const planTitle = (name: string): string => plainLine(`the started plan ${name}`, MAX_TITLE);

const repairLink = (server: string, { plan, repair }: PlanRepair): Run => ({
  link: `${server}/ui/fix/${plan.plan_id}-${repair.number}`,
  words: 'Open the repair in Clew',
});

/** Empty texts are omitted. */
function stepsOf(card: CardOfRepair | undefined): Block[] {
  if (card === undefined) return [];
  const { fix, check, risk } = card.package;
  const lines = [
    ['Change: ', fix],
    ['Check: ', check],
    ['Risk: ', risk],
  ] as const;
  const list = lines.filter(([, text]) => text !== '').map(([name, text]): Run[] => [name, quoted(text)]);
  return list.length === 0 ? [] : [{ heading: 'Steps' }, { list }];
}

/** Users and computers: of the card if the current plan has it, otherwise of the whole plan. */
function exposureText(plan: StartedPlan, found: CardOfRepair | undefined): string {
  const { exposed_before: before, exposed_after: after } = found?.card ?? {
    exposed_before: null,
    exposed_after: null,
  };
  const count = found?.card.packages.length ?? 0;
  if (before !== null && after !== null)
    return count > 1
      ? `Exposed users and computers: ${before} before and ${after} after the ${count} repairs of card ${found?.number}, which are needed together.`
      : `Exposed users and computers: ${before} before this repair, ${after} after it.`;
  const exposed = sum(plan.before, 'exposed_count');
  const all = sum(plan.before, 'principal_count');
  const now = sum(plan.now, 'exposed_count');
  return `Exposed users and computers of the whole plan: ${exposed} of ${all} without its finished changes, ${now} now.`;
}

const sum = (all: StartedPlan['before'], what: 'exposed_count' | 'principal_count'): number =>
  all.reduce((total, one) => total + one[what], 0);

/** The text for a repair whose changes are all done. */
export function closeText(server: string, one: PlanRepair): Block[] {
  return [
    { paragraph: [`Verified: the analysis of ${timeText(one.plan.published_at)} shows all changes done.`] },
    ...listed(one.changes.flatMap((change) => movedOf(change, 'done'))),
    { paragraph: [repairLink(server, one)] },
  ];
}

/** The text for a repair with newly done changes. */
export function progressText(server: string, one: PlanRepair): Block[] {
  const done = one.changes.filter(isDone);
  return [
    {
      paragraph: [
        `${countedBe(done.length, 'change', one.changes.length)} done, according to the analysis of ${timeText(one.plan.published_at)}.`,
      ],
    },
    ...listed(done.flatMap((change) => movedOf(change, 'done'))),
    { paragraph: [repairLink(server, one)] },
  ];
}

/** The text for a repair without changes to do, some of which no collection can prove. */
export function settledText(server: string, one: PlanRepair): Block[] {
  const done = one.changes.filter(isDone);
  const unproved = one.changes.filter((change) => !isDone(change));
  const at = timeText(one.plan.published_at);
  return [
    {
      paragraph: [
        `Nothing is left to do, by the analysis of ${at}: ${countedBe(done.length, 'change', one.changes.length)} done, and the facts of the others were not seen again. This proves nothing, because collections may not have looked at them. This ticket stays open until someone closes it:`,
      ],
    },
    ...listed(unproved.map(({ title }) => [quoted(title)])),
    { paragraph: [repairLink(server, one)] },
  ];
}

/**
 * The text for a repair whose facts exist again after a comment said that they were not seen.
 * @param isLast whether no further comment follows
 */
export function returnedText(server: string, one: PlanRepair, isLast: boolean): Block[] {
  return [
    {
      paragraph: [
        `Corrects an earlier comment: by the analysis of ${timeText(one.plan.published_at)}, changes are left to do. Their facts exist again:`,
      ],
    },
    ...listed(one.changes.filter(hasFacts).map(({ title }) => [quoted(title)])),
    ...(isLast
      ? sentence(
          'These facts come and go between collections. This ticket gets no further comments about it until an analysis proves the repair.',
        )
      : []),
    { paragraph: [repairLink(server, one)] },
  ];
}

/** The facts that contradict a closed ticket. */
export function contradictionText(server: string, one: PlanRepair): Block[] {
  const facts = one.changes.filter(isContradicted).flatMap((change): Run[][] => {
    const moved = change.state === 'undone' ? movedOf(change, 'undone') : [];
    const { title, done_count, fact_count } = change;
    return moved.length > 0
      ? moved
      : [[quoted(title), `: ${countedBe(done_count, 'fact', fact_count)} changed`]];
  });
  return [
    {
      paragraph: [`The analysis of ${timeText(one.plan.published_at)} does not show the changes:`],
    },
    ...listed(facts),
    // Changes that exist again were replicated before.
    ...(one.changes.some((change) => isContradicted(change) && change.state !== 'undone')
      ? sentence(
          `${REPLICATION} If the changes are made, close this ticket again: it is not reopened, and a later collection verifies them.`,
        )
      : []),
    { paragraph: [repairLink(server, one)] },
  ];
}

const sentence = (text: string): readonly Block[] => [{ paragraph: [text] }];

/** Notes for each open ticket of a plan that is missing or has returned. */
export const TICKET_NOTES = {
  missing: sentence(
    'The plan of this repair was deleted in Clew, or its connector can no longer see it. This ticket is no longer updated.',
  ),
  back: sentence('The plan of this repair exists again. This ticket is updated again.'),
};
/** Notes for a plan in systems without tickets. */
export const PLAN_NOTES = {
  missing: sentence(
    'The plan was deleted in Clew, or its connector can no longer see it. Its repairs are no longer updated.',
  ),
  back: sentence('The plan exists again. Its repairs are updated again.'),
};

/** @param name of the ticket that no longer exists or cannot be reopened */
export const insteadOf = (name: string): Block => ({
  paragraph: ['An earlier ticket of the same repair: ', quoted(name), '.'],
});

/** The facts that changed in the latest analysis with this state. */
function movedOf({ title, history }: StartedChange, state: string): Run[][] {
  const entry = history.findLast((one) => one.state === state);
  const moved = entry?.moved ?? [];
  return moved.length > 0 ? moved.map((text) => [quoted(text)]) : [[quoted(title)]];
}

function listed(facts: readonly Run[][]): Block[] {
  const left = facts.length - MAX_FACTS;
  if (facts.length === 0) return [];
  return [
    { list: facts.slice(0, MAX_FACTS) },
    ...(left > 0 ? [{ paragraph: [`${left} more are on the page of the repair.`] }] : []),
  ];
}

/** Times from the service are untrusted text too. */
export const timeText = (text: string): string =>
  /^[\dTZ:.-]{1,40}$/.test(text) ? minuteText(text) : 'an unknown time';
export const dayText = (text: string): string => (isDay(text) ? text : 'unknown');
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);
