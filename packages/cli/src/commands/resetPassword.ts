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
          `New password of ${printable(name)} (${service.MIN_PASSWORD_LENGTH} characters or more): `,
        );
    const log = service.createLogger('warn');
    try {
      return await service.resetPassword(config, { name, password, withoutMfa: options.withoutMfa }, log);
    } catch (error) {
      if (error instanceof service.PasswordResetError) throw new CommandError(error.message, EXIT.usage);
      throw error;
    }
  });
  if (done.wasDisabled) context.err.write(`${printable(done.name)} was disabled, and is not any more.\n`);
  context.err.write(`The password of ${printable(done.name)} is changed, and all its sessions have ended.\n`);
  if (done.generatedPassword !== undefined) context.out.write(`${done.generatedPassword}\n`);
};
