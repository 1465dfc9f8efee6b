import { configureGlobal } from 'fast-check';

/**
 * Random cases are the same in each run, so that the suite has one answer for one state of the code: tests also count how often
 * a rare case came up. `CLEW_TEST_SEED` (a whole number) asks for other cases; every night takes one of its own.
 */
configureGlobal({ seed: Number(process.env.CLEW_TEST_SEED ?? 20_261_126) });
