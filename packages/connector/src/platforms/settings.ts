/** Connection settings of each host platform. Rule: `docs/integration.md#host-platforms`. */
import Type, { type Static } from 'typebox';

const Url = Type.String({
  pattern: '^https?://[^\\s/?#@\\\\]+(?:[/?#]|$)',
  'x-form': 'an address that begins with https:// or http://, without a user',
});
const ProxyUrl = Type.String({
  pattern: '^https?://',
  'x-form': 'an address that begins with https:// or http://',
});
/** Requests to systems of work carry a token or a secret address. */
const SafeUrl = Type.String({
  pattern:
    '^(?:https://[^\\s/?#@\\\\]+|http://(?:localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1\\])(?::[0-9]{1,5})?)(?:[/?#]|$)',
  'x-form': 'an address that begins with https:// (http:// for this machine only), without a user',
});
const Text = Type.String({ minLength: 1 });
const Format = Type.Optional(
  Type.Union([Type.Literal('clew'), Type.Literal('ocsf')], {
    description: 'The fields of the connector, or findings of the Open Cybersecurity Schema Framework',
  }),
);
/** Settings shared by all HTTP platforms. */
const Http = {
  verifyTls: Type.Optional(Type.Boolean()),
  caBundle: Type.Optional(Type.String({ description: 'Path of a PEM file' })),
  proxy: Type.Optional(ProxyUrl),
  timeout: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 600, description: 'Seconds' })),
};
const closed = { additionalProperties: false };

export const JsonlSettings = Type.Object(
  {
    type: Type.Literal('jsonl'),
    directory: Text,
    format: Format,
    maxFileBytes: Type.Optional(Type.Integer({ minimum: 1024 })),
  },
  closed,
);
export const WebhookSettings = Type.Object(
  {
    type: Type.Literal('webhook'),
    url: Url,
    secret: Type.String({ pattern: '^whsec_', 'x-form': 'a secret that begins with whsec_' }),
    format: Format,
    ...Http,
  },
  closed,
);
export const GoogleSecOpsSettings = Type.Object(
  {
    type: Type.Literal('google-secops'),
    soar: Type.Optional(
      Type.Object({ url: Url, appKey: Text, environment: Type.Optional(Type.String()) }, closed),
    ),
    udm: Type.Optional(
      Type.Object(
        {
          url: Url,
          serviceAccount: Type.String({ description: 'The JSON of the key' }),
          tokenUrl: Type.Optional(Url),
        },
        closed,
      ),
    ),
    ...Http,
  },
  closed,
);
export const SplunkSettings = Type.Object(
  {
    type: Type.Literal('splunk-hec'),
    url: Url,
    token: Text,
    index: Type.Optional(Text),
    source: Type.Optional(Text),
    sourcetype: Type.Optional(Text),
    acknowledge: Type.Optional(Type.Boolean({ description: 'The token uses indexer acknowledgement' })),
    acknowledgeTimeout: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 600, description: 'Seconds' }),
    ),
    format: Format,
    ...Http,
  },
  closed,
);
export const SentinelSettings = Type.Object(
  {
    type: Type.Literal('sentinel'),
    endpoint: Url,
    ruleId: Text,
    stream: Text,
    tenantId: Text,
    clientId: Text,
    clientSecret: Text,
    loginUrl: Type.Optional(Url),
    ...Http,
  },
  closed,
);
export const SyslogSettings = Type.Object(
  {
    type: Type.Literal('syslog'),
    host: Text,
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    transport: Type.Optional(Type.Union([Type.Literal('tcp'), Type.Literal('tls')])),
    facility: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
    hostname: Type.Optional(
      Type.String({ pattern: '^[!-~]{1,255}$', 'x-form': 'a name of at most 255 ASCII letters' }),
    ),
    format: Type.Optional(Type.Union([Type.Literal('cef'), Type.Literal('ocsf')])),
    verifyTls: Type.Optional(Type.Boolean()),
    caBundle: Type.Optional(Type.String()),
    clientCertificate: Type.Optional(Type.String({ description: 'Path of a PEM file' })),
    clientKey: Type.Optional(Type.String({ description: 'Path of a PEM file' })),
    timeout: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 600, description: 'Seconds' })),
  },
  closed,
);
export const TheHiveSettings = Type.Object(
  {
    type: Type.Literal('thehive'),
    url: Url,
    apiKey: Text,
    organisation: Type.Optional(Text),
    closedStatus: Type.Optional(Text),
    tlp: Type.Optional(Type.Integer({ minimum: 0, maximum: 4 })),
    pap: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
    ...Http,
  },
  closed,
);

export const GitHubSettings = Type.Object(
  {
    type: Type.Literal('github'),
    repository: Type.String({
      pattern: '^[A-Za-z0-9-]+/[A-Za-z0-9._-]+$',
      'x-form': 'the owner and the name of a repository, such as acme/infra',
    }),
    token: Text,
    url: Type.Optional(Type.Unsafe<string>({ ...SafeUrl, description: 'For the API of your own server' })),
    labels: Type.Optional(Type.Array(Text, { maxItems: 50 })),
    assignees: Type.Optional(Type.Array(Text, { maxItems: 10 })),
    ...Http,
  },
  closed,
);

export const PlatformSettings = Type.Union([
  JsonlSettings,
  WebhookSettings,
  GoogleSecOpsSettings,
  SplunkSettings,
  SentinelSettings,
  SyslogSettings,
  TheHiveSettings,
]);
export type PlatformSettings = Static<typeof PlatformSettings>;

export const JiraSettings = Type.Object(
  {
    type: Type.Literal('jira'),
    url: SafeUrl,
    project: Type.String({
      pattern: '^[A-Z][A-Z0-9_]{0,254}$',
      'x-form': 'the key of a project, such as SEC',
    }),
    email: Type.Optional(Type.String({ minLength: 1, description: 'Of the account, in the cloud' })),
    token: Text,
    issueType: Type.Optional(Text),
    labels: Type.Optional(
      Type.Array(Type.String({ pattern: '^\\S{1,255}$', 'x-form': 'a label without blanks' }), {
        maxItems: 50,
      }),
    ),
    closedStatus: Type.Optional(Text),
    openStatus: Type.Optional(Text),
    doneResolutions: Type.Optional(
      Type.Array(Text, { maxItems: 50, description: 'Resolutions of completed work' }),
    ),
    fields: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Additional fields that the project requires',
      }),
    ),
    ...Http,
  },
  closed,
);

export const AzureDevOpsSettings = Type.Object(
  {
    type: Type.Literal('azure-devops'),
    url: Type.Unsafe<string>({
      ...SafeUrl,
      description: 'Of the organization, or of the collection of a server',
    }),
    project: Type.String({ pattern: '^[^/\\\\\\s][^/\\\\]{0,63}$', 'x-form': 'the name of a project' }),
    token: Text,
    workItemType: Type.Optional(Text),
    tags: Type.Optional(
      Type.Array(
        Type.String({ pattern: '^[^;,]{1,400}$', 'x-form': 'a tag without commas and semicolons' }),
        {
          maxItems: 50,
        },
      ),
    ),
    closedStatus: Type.Optional(Text),
    openStatus: Type.Optional(Text),
    fields: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Additional fields by their reference names',
      }),
    ),
    ...Http,
  },
  closed,
);

const State = Type.String({ pattern: '^-?[A-Za-z0-9_]{1,40}$', 'x-form': 'the value of a state, as 6' });
const States = Type.Array(State, { maxItems: 50 });
export const ServiceNowSettings = Type.Object(
  {
    type: Type.Literal('servicenow'),
    url: Type.Unsafe<string>({ ...SafeUrl, description: 'Of the instance' }),
    user: Type.Optional(Text),
    password: Type.Optional(Text),
    token: Type.Optional(
      Type.String({ minLength: 1, description: 'Of OAuth, instead of user and password' }),
    ),
    table: Type.Optional(
      Type.String({ pattern: '^[a-z][a-z0-9_]{0,79}$', 'x-form': 'the name of a table, as incident' }),
    ),
    openState: Type.Optional(State),
    closedState: Type.Optional(State),
    doneStates: Type.Optional(States),
    droppedStates: Type.Optional(States),
    finalStates: Type.Optional(States),
    closeFields: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Fields that a closed record requires' }),
    ),
    fields: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Further fields of a new record' }),
    ),
    ...Http,
  },
  closed,
);

/** The address of a webhook is its secret. */
const SecretUrl = Type.Unsafe<string>({
  ...SafeUrl,
  description: 'URL of the webhook: anyone who has it can write',
});
export const SlackSettings = Type.Object({ type: Type.Literal('slack'), url: SecretUrl, ...Http }, closed);
export const TeamsSettings = Type.Object({ type: Type.Literal('teams'), url: SecretUrl, ...Http }, closed);

/** ASCII, without characters that have a meaning in headers. */
const MailAddress = Type.String({
  pattern: '^[A-Za-z0-9._%+/=-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,188}[A-Za-z0-9])?$',
  'x-form': 'a mail address, as security@example.com',
});
/** One mail a day or week instead of one per event. */
const DigestSettings = Type.Object(
  {
    every: Type.Union([Type.Literal('day'), Type.Literal('week')]),
    hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, description: 'In UTC; 6 when absent' })),
    whenEmpty: Type.Optional(Type.Boolean({ description: 'Also sent when nothing happened' })),
  },
  closed,
);
export type DigestSettings = Static<typeof DigestSettings>;

export const SmtpSettings = Type.Object(
  {
    type: Type.Literal('smtp'),
    host: Type.String({
      pattern: '^[A-Za-z0-9.:-]{1,255}$',
      'x-form': 'the name or address of a mail server',
    }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    tls: Type.Optional(
      Type.Union([Type.Literal('starttls'), Type.Literal('implicit'), Type.Literal('none')], {
        description: 'starttls and implicit refuse a server without TLS; none: on this machine only',
      }),
    ),
    user: Type.Optional(Text),
    password: Type.Optional(Text),
    from: MailAddress,
    to: Type.Array(MailAddress, { minItems: 1, maxItems: 50 }),
    digest: Type.Optional(DigestSettings),
    verifyTls: Type.Optional(Type.Boolean()),
    caBundle: Type.Optional(Type.String({ description: 'Path of a PEM file' })),
    timeout: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 600, description: 'Seconds' })),
  },
  closed,
);

/** Systems that receive repairs of started plans, not findings. */
export const WorkSettings = Type.Union([
  GitHubSettings,
  JiraSettings,
  AzureDevOpsSettings,
  ServiceNowSettings,
  SlackSettings,
  TeamsSettings,
  SmtpSettings,
]);
export type WorkSettings = Static<typeof WorkSettings>;

export const DestinationSettings = Type.Union([...PlatformSettings.anyOf, ...WorkSettings.anyOf]);
export type DestinationSettings = PlatformSettings | WorkSettings;

const WORK_TYPES: readonly string[] = WorkSettings.anyOf.map(({ properties }) => properties.type.const);

export const isForWork = (settings: { readonly type: string }): settings is WorkSettings =>
  WORK_TYPES.includes(settings.type);

/** Settings of one platform. */
export type SettingsOf<Kind extends DestinationSettings['type']> = Extract<
  DestinationSettings,
  { type: Kind }
>;
