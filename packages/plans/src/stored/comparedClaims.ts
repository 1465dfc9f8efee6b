/** Compares what a file of a kit says about a change with collections, in one sentence. Rule: `docs/plan.md#transcripts-and-backups`. */
import type { AdoptedChange, PlanClaim, PlanEvidence } from '@clew/api';
import { minuteText } from '@clew/model';
import type { StoredClaim } from './kitClaims.ts';

interface ShownChange {
  readonly change: Pick<AdoptedChange, 'state' | 'history'>;
  /** Date of the last collection that shows the present state of its facts; null if that is not known. */
  readonly collectedAt: string | null;
  /** Texts of values that are neither the old nor the wanted ones. */
  readonly others: readonly string[];
}

type Said = Pick<PlanEvidence, 'kind' | 'added_at'>;

/** @param publishedAt the analysis with which the plan was last compared */
export function comparedWith(
  file: Said,
  claim: StoredClaim,
  shown: ShownChange,
  publishedAt: string,
): Pick<PlanClaim, 'verdict' | 'text'> {
  const made = isMade(claim);
  const other = claim.other_before ? '; the script was made for another value before than the plan has' : '';
  const said = `${saidBy(file.kind, claim, made)}${other}`;
  const day = dayOf(foundOf(shown)?.at ?? publishedAt);
  if (made === 'no') {
    // Another run made it, or another person.
    const isDone = claim.mode !== 'Undo' && shown.change.state === 'done';
    return { verdict: 'not-made', text: isDone ? `${said}; the analysis of ${day} shows it done` : said };
  }
  const { verdict, text } = collectionSays(file, claim, shown, day);
  // A file that does not say made is not wrong where the change was not made.
  const isNot = made === 'unknown' && verdict === 'disagrees';
  return { verdict: isNot ? 'not-made' : verdict, text: `${said}; ${text}` };
}

const foundOf = ({ change }: ShownChange) => change.history.findLast(({ state }) => state === change.state);

/** A collection from before the run shows nothing of it, whenever it was analyzed. */
function collectionSays(
  { added_at }: Said,
  claim: StoredClaim,
  { change: { state }, collectedAt, others }: ShownChange,
  day: string,
): Pick<PlanClaim, 'verdict' | 'text'> {
  // A clock may be wrong: the script ran before the file was added.
  const at = claim.at !== null && claim.at < added_at ? claim.at : added_at;
  const isBack = claim.mode === 'Undo';
  if (state === 'done' && !isBack) return { verdict: 'agrees', text: `the analysis of ${day} shows it done` };
  if (state === 'not-seen')
    return { verdict: 'waits', text: `not seen again since the analysis of ${day}, which is not proof` };
  if (collectedAt === null || collectedAt <= at)
    return { verdict: 'waits', text: 'no collection has looked since' };
  const collection = `the collection of ${dayOf(collectedAt)}`;
  if (state === 'done') return { verdict: 'disagrees', text: `${collection} shows it done` };
  if (others.length > 0)
    return { verdict: 'disagrees', text: `${collection} shows another value: ${others.join('; ')}` };
  const verdict = isBack ? 'agrees' : 'disagrees';
  return state === 'undone'
    ? { verdict, text: `it exists again since the analysis of ${day}` }
    : { verdict, text: `${collection} shows the facts from before` };
}

const dayOf = (time: string): string => time.slice(0, 10);

/** `unknown` for backups, and if the script did not end what it began or the object still inherits the entry, or the folder of a policy gives the right. */
function isMade(claim: StoredClaim): StoredClaim['changed'] {
  const { mode, after, changed, pending, code } = claim;
  if (changed === 'yes') return 'yes';
  if (mode === 'Undo' ? code === 0 : after === true) return 'yes';
  return pending ? 'unknown' : changed;
}

function saidBy(kind: PlanEvidence['kind'], claim: StoredClaim, made: StoredClaim['changed']): string {
  const { mode, before, after, changed, pending, code, host, computer, saved } = claim;
  const place = host !== '' ? ` on ${host}` : computer !== '' ? ` from ${computer}` : '';
  const when = `${place} at ${minuteText(claim.at ?? '')}`;
  if (kind === 'backup') {
    const values = saved.map(({ name, value }) => `${name} ${value}`).join(', ');
    return `The backup was written${when}${values === '' ? '' : `, with ${values}`}`;
  }
  const failed = `${when}${code === null ? '' : `, exit code ${code}`}`;
  if (mode === 'Undo') {
    if (made === 'yes') return `The transcript says undone${when}`;
    return made === 'unknown'
      ? `The transcript says that undoing failed, and that a part may be undone${failed}`
      : `The transcript says that undoing failed or was declined${when}`;
  }
  if (made === 'no') return `The transcript says that it was not made${failed}`;
  if (made === 'unknown')
    return pending
      ? `The transcript says that the object still inherited it, or the folder of the policy still gave it${when}`
      : `The transcript says that the change failed, and that a part may be made${failed}`;
  if (changed !== 'yes' && (mode === 'Verify' || before === true))
    return `The transcript says that it was found made${when}`;
  const end = pending
    ? ', while the object still inherited it, or the folder of the policy still gave it'
    : changed === 'yes' && after !== true
      ? `, but not found as wanted at the end${code === null ? '' : `, exit code ${code}`}`
      : '';
  return `The transcript says made${when}${end}`;
}
