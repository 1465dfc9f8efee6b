/** Selects the environments of a chart: the largest ones. */
import type { PostureSummary } from '@clew/api';
import { formatShare } from '@clew/model';
import { counted } from '../../text/formats.ts';

type Environment = PostureSummary['environments'][number];

/** Further lines would not be distinguishable. */
export const MAX_LINES = 6;

/** An environment without principals outside the zone has no exposure, not even 0%. */
export const hasPrincipals = ({ principals }: Pick<Environment, 'principals'>): boolean => principals > 0;

/** @returns its exposure, or that its forest or tenant has no member of a zone; `undefined` if it has no principals */
export const exposureText = (one: Environment): string | undefined =>
  hasPrincipals(one) && one.exposure !== null
    ? formatShare(one.exposure)
    : one.exposure === null && one.users + one.computers > 0
      ? 'no zone'
      : undefined;

/** @returns collected environments, or the environment in the address, sorted by descending number of principals */
export const collectedEnvironments = (environments: readonly Environment[], env: string | undefined) =>
  environments
    .filter(({ collected, environment_id }) => collected && (env ?? environment_id) === environment_id)
    .toSorted((a, b) => b.principals - a.principals)
    .map((one) => ({ ...one, id: one.environment_id }));

/** @returns at most {@link MAX_LINES} environments; an environment without principals only if the address names it */
export const drawnEnvironments = (environments: readonly Environment[], env: string | undefined) =>
  collectedEnvironments(environments, env)
    .filter((one) => env !== undefined || hasPrincipals(one))
    .slice(0, MAX_LINES);

/** @returns a note that not all environments with a known exposure are drawn; `undefined` if all are, or if one was selected */
export function drawnText(
  environments: readonly Environment[],
  env: string | undefined,
  drawn: number,
): string | undefined {
  const known = environments.filter((one) => one.collected && hasPrincipals(one)).length;
  return env !== undefined || known <= drawn
    ? undefined
    : `The ${counted(drawn, 'largest environment')} of ${known} are drawn. Choose one to see it alone.`;
}
