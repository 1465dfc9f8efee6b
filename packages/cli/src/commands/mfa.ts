/** `clew user mfa`: sets up one's own second factor, and removes that of another user. */
import { toString as qrText } from 'qrcode';
import { chosenUser } from '../chosenUser.ts';
import { type ConnectionOptions, connect, serviceUrl } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { printable } from '../terminal/text.ts';

export interface MfaOptions extends ConnectionOptions {
  /** Removes the second factor. */
  readonly off?: boolean;
}

/** @param name another user whose second factor is removed; default: the caller */
export async function mfa(context: Context, name: string | undefined, options: MfaOptions): Promise<void> {
  const { out, err, signal } = context;
  if (name !== undefined && !options.off)
    throw new CommandError('only the user can set up a second factor; --off removes it', EXIT.usage);
  const client = await connect(context, options);
  const self = (await client.call('GetSelf', {}, { signal })).data;
  if (!('principal_name' in self)) throw new CommandError('a collector cannot have a second factor');
  const user = name === undefined ? self : await chosenUser(client, name, signal);
  const params = { user_id: user.id };
  const secret = await context.askSecret(`Password of ${printable(self.principal_name)}: `);
  if (options.off) {
    await client.call('RemoveUserMfa', { params, body: { secret } }, { signal });
    err.write(`${printable(user.principal_name)} signs in without a second factor.\n`);
    return;
  }
  const { totp_secret } = (await client.call('AddUserMfa', { params, body: { secret } }, { signal })).data;
  const issuer = new URL(await serviceUrl(context.env, options)).host;
  const label = encodeURIComponent(`${issuer}:${user.principal_name}`);
  const uri = `otpauth://totp/${label}?secret=${totp_secret}&issuer=${encodeURIComponent(issuer)}`;
  err.write(await qrText(uri, { type: 'terminal', small: true }));
  err.write(`Scan this with an authenticator, or enter its secret: ${totp_secret}\n`);
  const otp = await context.askSecret('Code shown there: ');
  const { recovery_codes } = (await client.call('ActivateUserMfa', { params, body: { otp } }, { signal }))
    .data;
  err.write(
    'Sign-in now requires a code. If you lose the authenticator, you can use each of these codes once instead:\n',
  );
  for (const code of recovery_codes) out.write(`${code}\n`);
}
