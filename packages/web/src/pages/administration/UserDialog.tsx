/** Creates or changes a user: the role, the environments, and the sign-in method. */
import type { User } from '@clew/api';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { Field, Option } from '../../parts/FormField.tsx';
import type { FormValues } from '../../parts/formValues.ts';
import { useDialogChange } from '../../parts/useDialogChange.ts';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';

export const TOUCHED = ['ListUsers', 'GetSelf'] as const;

interface UserDialogProps {
  /** The user to change; absent for a new one. */
  readonly user: User | undefined;
  readonly onClose: () => void;
}

export function UserDialog({ user, onClose }: UserDialogProps) {
  const roles = useAnswer('ListRoles');
  const environments = useAnswer('GetAvailableDomains');
  const providers = useAnswer('ListAuthProviders');
  const choices = [roles, environments, providers];
  const removeFactor = useDialogChange(
    () => call('RemoveUserMfa', { params: { user_id: user!.id }, body: {} }),
    {
      touched: TOUCHED,
      onDone: onClose,
    },
  );
  return (
    <FormDialog
      title={user === undefined ? 'New user' : `Change ${cleanText(user.principal_name)}`}
      fields={[
        ...profileFields(user),
        ...accessFields(user, {
          roles: (roles.data?.data.roles ?? []).map(({ id, name, description }) => [
            String(id),
            `${name}: ${description}`,
          ]),
          providers: (providers.data?.data ?? []).map(({ id, name }) => [String(id), cleanText(name)]),
          environments: (environments.data?.data ?? []).map(({ id, name }) => [id, cleanText(name)]),
        }),
      ]}
      words={user === undefined ? 'Create user' : 'Save user'}
      // A choice that has not loaded would be sent as no choice.
      isDisabled={choices.some(({ data }) => data === undefined)}
      send={(values) => save(user, values)}
      touched={TOUCHED}
      error={removeFactor.error ?? choices.find(({ error }) => error !== null)?.error ?? null}
      onClose={onClose}
    >
      {user?.AuthSecret?.totp_activated && (
        <button type="button" onClick={() => removeFactor.mutate()}>
          Remove MFA
        </button>
      )}
    </FormDialog>
  );
}

const profileFields = (user: User | undefined): readonly Field[] => [
  {
    ...{ type: 'text', name: 'principal', label: 'Name to sign in with', required: true, maxLength: 500 },
    value: user?.principal_name,
  },
  { type: 'text', name: 'first', label: 'First name', maxLength: 500, value: user?.first_name },
  { type: 'text', name: 'last', label: 'Last name', maxLength: 500, value: user?.last_name },
  { type: 'email', name: 'email', label: 'E-mail address', maxLength: 500, value: user?.email_address },
];

const ALL = 'all';
const CHOSEN = 'chosen';

/** Value for no provider. */
const PASSWORD = '';

const hasPassword = (values: FormValues): boolean => values.text('provider') === PASSWORD;
const isLimited = (values: FormValues): boolean => values.text('access') === CHOSEN;

/** Options from the service; empty until loaded. */
interface Offered {
  readonly roles: readonly Option[];
  readonly providers: readonly Option[];
  readonly environments: readonly Option[];
}

function accessFields(user: User | undefined, { roles, providers, environments }: Offered): readonly Field[] {
  const own = user?.environment_targeted_access_control.environments ?? [];
  const provider = String(user?.sso_provider_id ?? PASSWORD);
  const isListed = provider === PASSWORD || providers.some(([id]) => id === provider);
  return [
    {
      ...{ type: 'select', name: 'role', label: 'Role', required: true, options: roles },
      value: user === undefined ? undefined : String(user.roles[0]?.id ?? ''),
    },
    {
      ...{ type: 'select', name: 'provider', label: 'Signs in with' },
      options: [
        [PASSWORD, 'A password'],
        ...(isListed ? [] : [[provider, `Provider ${provider}`] as const]),
        ...providers,
      ],
      value: provider,
    },
    {
      ...{ type: 'password', name: 'password', required: user === undefined, maxLength: 1024 },
      ...{ autoComplete: 'new-password', when: hasPassword },
      label:
        user === undefined
          ? 'First password; the user must change it at the first sign-in'
          : 'New password (optional); the user must change it at the next sign-in',
    },
    {
      ...{ type: 'radio', name: 'access', label: 'May see' },
      options: [
        [ALL, 'All environments'],
        [CHOSEN, 'Only these'],
      ],
      value: (user?.all_environments ?? true) ? ALL : CHOSEN,
    },
    {
      ...{ type: 'some', name: 'environment', label: 'Environments', options: environments },
      ...{ value: new Set(own.map(({ environment_id }) => environment_id)), when: isLimited },
    },
    {
      ...{ type: 'check', name: 'disabled', label: 'Disabled: cannot sign in', value: user?.is_disabled },
      when: () => user !== undefined,
    },
  ];
}

/** Saves the user, and a new password if one was typed. */
async function save(user: User | undefined, values: FormValues): Promise<unknown> {
  const all = !isLimited(values);
  const profile = {
    principal: values.text('principal'),
    first_name: values.text('first') || null,
    last_name: values.text('last') || null,
    email_address: values.text('email') || null,
    roles: [Number(values.text('role'))],
    sso_provider_id: hasPassword(values) ? null : Number(values.text('provider')),
    all_environments: all,
    environment_targeted_access_control: all
      ? null
      : { environments: values.all('environment').map((id) => ({ environment_id: id })) },
  };
  const secret = { secret: values.exact('password'), needs_password_reset: true };
  if (user === undefined)
    return call('CreateUser', { body: { ...profile, ...(hasPassword(values) && secret) } });
  const params = { user_id: user.id };
  await call('UpdateUser', { params, body: { ...profile, is_disabled: values.has('disabled') } });
  if (secret.secret !== '' && hasPassword(values))
    await call('CreateOrSetUserSecret', { params, body: secret });
  return undefined;
}
