/** Sentences about attack paths that remain after changes. Rule: `docs/plan.md#what-if`. */
import type { RemainingPathsRecord } from '@clew/api';
import { principalsText } from '@clew/model';
import type { RemainingPaths, StayReason } from '@clew/planning';

type NotClosed = NonNullable<RemainingPathsRecord['paths'][number]['not_closed']>;

const NOT_CLOSED: Readonly<Record<NotClosed['reason'], string>> = {
  unknown: 'No change is known that closes it.',
  members: 'No change is known that closes it for the whole group; some members could leave the group.',
  excluded: 'Only changes that are marked as impossible would close it.',
  'not-shown': 'Changes that close it are not shown: they concern objects outside your access.',
};

export const notClosed = (reason: NotClosed['reason']): NotClosed => ({ reason, text: NOT_CLOSED[reason] });

/** Describes the paths that stay, by the reasons of all of them. */
function staysText(reasons: ReadonlySet<StayReason>): string {
  const excluded = 'only changes marked as impossible';
  if (reasons.size === 1 && reasons.has('excluded')) return `that ${excluded} would close`;
  const members = reasons.has('members') ? ', except that some members leave the groups at their start' : '';
  return `that no known change closes${reasons.has('excluded') ? `, or ${excluded}` : ''}${members}`;
}

/** Whether the user may see the repairs that close listed paths; `none` if no repair closes any of them. */
type ShownRepairs = 'shown' | 'partly-shown' | 'not-shown' | 'none';

const AFTER: Readonly<Record<ShownRepairs, string>> = {
  shown: 'after these repairs, ',
  'partly-shown': 'after repairs that are partly not shown, ',
  'not-shown': 'after repairs that are not shown, ',
  none: '',
};

export function shownRepairs(
  paths: readonly Pick<RemainingPathsRecord['paths'][number], 'closed_by' | 'not_closed'>[],
): ShownRepairs {
  const isShown = paths.some(({ closed_by }) => closed_by !== null);
  const isHidden = paths.some(({ not_closed }) => not_closed?.reason === 'not-shown');
  if (isHidden) return isShown ? 'partly-shown' : 'not-shown';
  return isShown ? 'shown' : 'none';
}

interface EndNotes {
  readonly repairs: ShownRepairs;
  /** Whether the user may see only some environments. The number of users and computers covers all. */
  readonly isLimited: boolean;
}

export function endOfPaths(
  { end, left, reasons }: Pick<RemainingPaths<unknown>, 'end' | 'left' | 'reasons'>,
  { repairs, isLimited }: EndNotes,
): RemainingPathsRecord['end'] {
  const paths = isLimited ? 'paths through objects that you can see' : 'paths';
  const who = principalsText(left);
  const text = (): string => {
    if (end === 'more')
      return `more ${paths} are left${isLimited ? '' : `: ${who} can still reach the zone`}`;
    if (end === 'open')
      return isLimited
        ? `${paths} are left ${staysText(reasons)}`
        : `${who} can still reach the zone over paths ${staysText(reasons)}`;
    if (repairs !== 'none') return isLimited ? `none of the ${paths} is left` : 'no path is left';
    // Exposure counts paths that end in the forest or tenant of their start.
    return isLimited
      ? 'no path through objects that you can see leads into the zone of its own forest or tenant'
      : 'no user or computer can reach the zone of its own forest or tenant';
  };
  return { reason: end, text: `${capital(`${AFTER[repairs]}${text()}`)}.` };
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
