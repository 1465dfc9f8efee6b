const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);
const SEED = Number(process.env.CLEW_TEST_SEED ?? 20_261_126);

/**
 * The steps of a story at which one run injects a fault: every `stride`-th step, from a start that `CLEW_TEST_SEED` selects.
 * @param stride integer above 0; 1 examines all steps, as `CLEW_TEST_RUNS` of at least `stride` does
 */
export const sampledSteps = (stride: number): { readonly first: number; readonly step: number } =>
  RUNS >= stride ? { first: 0, step: 1 } : { first: SEED % stride, step: stride };

/**
 * The cases of a long sweep that one run examines: every `stride`-th case, from a start that `CLEW_TEST_SEED` selects, so that nightly
 * runs with new seeds examine all cases in turn. `CLEW_TEST_RUNS=3` examines all cases of a sweep with stride 3.
 * @param stride integer above 0
 * @param shift as many sweeps of the same cases as `stride`, each with another shift, together examine all of them
 * @returns at least one case, in order
 */
export function sampledCases<T>(cases: readonly T[], stride: number, shift = 0): readonly T[] {
  if (RUNS >= stride || cases.length <= 1) return cases;
  const every = Math.min(stride, cases.length);
  return cases.filter((_, at) => (at + shift) % every === SEED % every);
}
