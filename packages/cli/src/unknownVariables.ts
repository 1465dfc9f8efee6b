/** Warns of misspelled variables: without a warning, a command would ask another service, or use other credentials, than its user means. */
import { CLIENT_VARIABLES } from '@clew/api';
import type { Context } from './context.ts';
import { printable } from './terminal/text.ts';

export async function warnOfUnknownVariables({ env, err }: Pick<Context, 'env' | 'err'>): Promise<void> {
  const isOther = (name: string): boolean => name.startsWith('CLEW_') && !CLIENT_VARIABLES.includes(name);
  // The names of settings are loaded with the service, which is large.
  if (!Object.keys(env).some(isOther)) return;
  const { unknownVariables } = await import('@clew/service');
  for (const { name, similar } of unknownVariables(env)) {
    const meant = similar === undefined ? '' : `; did you mean ${similar}?`;
    err.write(`clew: ${printable(name)} is set, but is not a setting of Clew${meant}\n`);
  }
}
