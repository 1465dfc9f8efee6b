/** Converts Sigma rules with pySigma (`CLEW_TEST_SIGMA`: its Python), if it is installed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const PYTHON = process.env.CLEW_TEST_SIGMA ?? 'python3';
const SCRIPT = join(import.meta.dirname, 'convertRules.py');

/** @returns a list of faults as JSON in the output */
export const convertRules = (rules: readonly string[]) =>
  spawnSync(PYTHON, [SCRIPT], { input: JSON.stringify(rules), encoding: 'utf8' });

export const isInstalled = convertRules([]).status === 0;
