import { configureGlobal } from 'fast-check';

/**
 * Random cases are the same in each run, so that the suite has one result for one state of the code: tests also count occurrences of rare
 * cases. `CLEW_TEST_SEED` (an integer) selects other cases; nightly runs use a new one.
 */
configureGlobal({ seed: Number(process.env.CLEW_TEST_SEED ?? 20_261_126) });
