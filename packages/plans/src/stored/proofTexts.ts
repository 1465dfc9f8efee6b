/** Sentences of the progress and the proof of a started plan, so that both say the same. Rule: `docs/plan.md#proof`. */
import { type AdoptedChange, type AdoptionRecord, type PlanProof, PROOFS, type ProofCard } from '@clew/api';
import { countedBe, shareOf } from '@clew/model';
import type { Sight } from '../tasks/sight.ts';
import type { FoundEntry } from '../tasks/startedPlan.ts';

type Exposures = AdoptionRecord['before'];
type Effect = Pick<ProofCard['promised'], 'before' | 'after'>;

const dayOf = (time: string): string => time.slice(0, 10);

/** @returns the analysis that first found the present state; later ones may have moved some facts */
export function startOfState(
  entries: readonly FoundEntry[],
  { state }: Pick<AdoptedChange, 'state'>,
): FoundEntry | undefined {
  const sorted = entries.toSorted((a, b) => a.generation - b.generation);
  return sorted[sorted.findLastIndex((entry) => entry.state !== state) + 1];
}

type Proof = AdoptedChange['proof'];
type Evidence = Pick<AdoptedChange, 'state' | 'marked' | 'history'>;

/** Whether the change came back after its mark. An analysis had found it done until then, so the mark was right. */
export const cameBackAfterMark = ({ state, marked, history }: Evidence): boolean =>
  state === 'undone' &&
  marked !== null &&
  history.some((entry) => entry.state === 'undone' && entry.at > marked.at);

export function proofOf(change: Evidence): Proof {
  const { state, marked } = change;
  if (state === 'done') return 'proved';
  if (cameBackAfterMark(change)) return 'came-back';
  if (marked?.evidence === 'contradicted') return 'contradicted';
  // An ended session is not a proof, regardless of who reported it.
  if (state === 'not-seen') return 'not-seen';
  if (marked !== null) return 'said';
  return state === 'undone' ? 'came-back' : 'open';
}

export const proofCounts = (changes: readonly Pick<AdoptedChange, 'proof'>[]): PlanProof['counts'] =>
  Object.fromEntries(
    PROOFS.map((proof) => [proof, changes.filter((change) => change.proof === proof).length]),
  ) as PlanProof['counts'];

/** The numbers of changes that are not proved, by their proof, without the open ones. */
export function countTexts(counts: PlanProof['counts']): string[] {
  const { said, contradicted, 'came-back': back, 'not-seen': unseen } = counts;
  return [
    ...(said > 0 ? [`${said} marked as done, but no collection shows it yet`] : []),
    ...(contradicted > 0 ? [`${contradicted} marked as done, but a later collection does not show it`] : []),
    ...(back > 0 ? [`${back} ${back === 1 ? 'exists' : 'exist'} again`] : []),
    ...(unseen > 0 ? [`${unseen} not seen again, which is not proof`] : []),
  ];
}

interface SaidBy {
  readonly start: FoundEntry | undefined;
  readonly sight: Sight | undefined;
  /** Properties with values that are neither the old nor the wanted ones. */
  readonly others: readonly string[];
}

export function sentenceOf(
  proof: Proof,
  { marked, done_count, fact_count }: Pick<AdoptedChange, 'marked' | 'done_count' | 'fact_count'>,
  { start, sight, others }: SaidBy,
): string {
  const shown = sight === undefined && start !== undefined ? shownBy(start) : '';
  const at = start === undefined ? '' : ` on ${dayOf(start.at)}`;
  const said = marked === null ? '' : `${marked.by} marked it as done on ${dayOf(marked.at)}`;
  const other = others.map((text) => `; ${text}`).join('');
  switch (proof) {
    case 'proved':
      return `An analysis${at} found it done${shown}${said === '' ? '' : `; ${said}`}${other}`;
    case 'said':
      return `No proof: ${said}, but ${marked?.waits_for ?? 'no collection shows it yet'}${other}`;
    case 'contradicted':
      return `Contradicted: ${said}, but a later collection does not show it${other}`;
    case 'came-back':
      return `It was done, but exists again since the analysis${at}${shown}${said === '' ? '' : `; ${said}`}${other}`;
    case 'not-seen':
      return `No proof: not seen again${at}, but a session may return, and other facts may be missing because no collection covered them${said === '' ? '' : `; ${said}`}`;
    default:
      return `${done_count === 0 ? 'Not done' : `Not done: ${countedBe(done_count, 'fact', fact_count)} changed`}${other}`;
  }
}

/** An analysis often has several uploads, and collections do not say which of them has a change. */
function shownBy({ jobs = [], has_more_jobs: hasMore = false }: FoundEntry): string {
  const uploads = jobs.map(({ id, by }) => `${id}${by === null ? '' : ` of ${by}`}`);
  const [first] = uploads;
  if (first === undefined) return '';
  if (uploads.length === 1) return `, first shown by upload ${first}`;
  return `, first shown by one of the uploads ${uploads.join(', ')}${hasMore ? ' and later ones' : ''}`;
}

interface EffectNotes {
  /** Objects were deleted, so the effect cannot be measured. */
  readonly isUnknown: boolean;
  /** Computed after cards that were not started. */
  readonly hasNoPromise: boolean;
}

export function effectText(
  promised: Effect,
  reached: Effect | null,
  { isUnknown, hasNoPromise }: EffectNotes,
): string {
  if (promised.before.length === 0 && !hasNoPromise) return '';
  const said = hasNoPromise
    ? 'no prediction, because cards before it were not started'
    : `predicted ${sharesOf(promised)}`;
  if (isUnknown) return `${said}, done, but not measured, because objects of its changes no longer exist`;
  if (reached === null) return `${said}, not reached yet`;
  return reached.before.length === 0 ? '' : `${said}, reached ${sharesOf(reached)}`;
}

function sharesOf({ before, after }: Effect): string {
  const share = (all: Exposures): string =>
    shareOf(
      all.reduce((sum, { exposed_count }) => sum + exposed_count, 0),
      all.reduce((sum, { principal_count }) => sum + principal_count, 0),
    );
  return `${share(before)} -> ${share(after)}`;
}
