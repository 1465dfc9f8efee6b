/** Advice on the installation as it is now, for administrators. */
import type { Config, Handlers } from '@clew/common';
import type { Database } from '@clew/store';
import { adviceFor } from './advice.ts';
import { readSurroundings } from './surroundings.ts';

export const adviceHandlers = (config: Config, { pool }: Database): Handlers<'ListAdvice'> => ({
  async ListAdvice() {
    return { status: 200, json: { data: [...adviceFor(await readSurroundings(config, pool))] } };
  },
});
