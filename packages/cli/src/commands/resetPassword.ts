/** `clew admin reset-password`: restores access if no administrator can sign in. */
import type { ThingCommand } from '../connection.ts';
import { CommandError, EXIT } from '../failure.ts';
import { printable } from '../terminal/text.ts';
import { withMachineFaults } from './machineFaults.ts';

export interface ResetPasswordOptions {
  readonly generate?: boolean;
  readonly withoutMfa?: boolean;
}

export const resetPassword: ThingCommand<ResetPasswordOptions> = async (context, name, options) => {
  const service = await import('@clew/service');
  const done = await withMachineFaults(async () => {
    const config = service.readConfig(context.env);
    const password = options.generate
      ? undefined
      : await context.askSecret(
          `New password of ${printable(name)} (at least ${service.MIN_PASSWORD_LENGTH} characters): `,
        );
    const log = service.createLogger('warn');
    try {
      return await service.resetPassword(config, { name, password, withoutMfa: options.withoutMfa }, log);
    } catch (error) {
      if (error instanceof service.PasswordResetError) throw new CommandError(error.message, EXIT.usage);
      throw error;
    }
  });
  if (done.wasDisabled) context.err.write(`${printable(done.name)} was disabled, and is enabled now.\n`);
  context.err.write(
    `The password of ${printable(done.name)} is changed, and all sessions of the user are ended.\n`,
  );
  if (done.generatedPassword !== undefined) context.out.write(`${done.generatedPassword}\n`);
};
