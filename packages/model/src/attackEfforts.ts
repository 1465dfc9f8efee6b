/**
 * Attack effort: what one step of an attack path takes an attacker, and why. It says nothing about the work of a defender,
 * which is the cost of a repair. The efforts of the steps of a path add up; a table of the kinds stands in `docs/rules.md`.
 *
 * Rule: `docs/rules.md#attack-effort`.
 */
import { EDGE_KINDS, EdgeKind, type TraversableKindName } from './edgeKinds.ts';

/** Each weighs twice the one before, so that the sum of a path tells what is on it. */
export const EFFORT_CLASSES = [
  {
    effort: 0,
    name: 'Held',
    means: 'Nothing to do: the identity has it at sign-in, or the tree passes it on',
  },
  {
    effort: 1,
    name: 'One action',
    means: 'One documented action, at any time, which depends on nothing else',
  },
  {
    effort: 2,
    name: 'Several actions',
    means: 'Several actions or a special tool, and nothing from anyone else',
  },
  {
    effort: 4,
    name: 'Condition',
    means:
      'Works only while something is so: a user is signed in, a host answers, a second person takes part',
  },
  {
    effort: 8,
    name: 'Luck',
    means:
      'May never work: a password to crack, a weakness of the host that is not known, evidence out of date',
  },
] as const;

export type AttackEffort = (typeof EFFORT_CLASSES)[number]['effort'];

export interface StepEffort {
  readonly effort: AttackEffort;
  readonly reason: string;
}

/** Effort and reason of kinds that definitions of other platforms declare, unless they say otherwise. */
export const CUSTOM_KIND_EFFORT: StepEffort = {
  effort: 2,
  reason: 'A kind of another source: several actions unless its definition says otherwise',
};

/** Sums of a path, by what can be on it; each begins at its least effort. A principal without a path has no effort. */
export const EFFORT_BANDS = [
  { id: 'trivial', name: 'Trivial', least: 0, means: 'no condition, and three actions at most' },
  { id: 'easy', name: 'Easy', least: 4, means: 'one condition at most, and no luck' },
  { id: 'moderate', name: 'Moderate', least: 8, means: 'luck, two conditions, or a long chain' },
  { id: 'hard', name: 'Hard', least: 16, means: 'several of these' },
] as const;

export type EffortBand = (typeof EFFORT_BANDS)[number]['id'];

const ROWS: readonly (readonly [AttackEffort, reason: string, ...kinds: TraversableKindName[]])[] = [
  [
    0,
    'Part of the token, or the same identity under another name',
    ...([
      'MemberOf',
      'AZMemberOf',
      'AZHasRole',
      'ClaimSpecialIdentity',
      'HasSIDHistory',
      'AZRunsAs',
    ] as const),
  ],
  [
    0,
    'Passed on by the tree; the action was counted at the right on the parent',
    ...(['Contains', 'AZContains', 'ContainsIdentity', 'PropagatesACEsTo'] as const),
  ],
  [
    1,
    'One write to the directory',
    ...(['GenericAll', 'AllExtendedRights', 'ForceChangePassword', 'AddMember', 'AddSelf'] as const),
  ],
  [
    1,
    'One read gives the credential',
    ...(['ReadLAPSPassword', 'ReadGMSAPassword', 'AZGetSecrets', 'AZGetCertificates'] as const),
  ],
  [
    1,
    'Remote administration, or a run command made for it',
    ...([
      'AdminTo',
      'AZVMContributor',
      'AZVMAdminLogin',
      'AZManagedIdentity',
      'AZNodeResourceGroup',
    ] as const),
  ],
  [1, 'One replication request; a controller holds the database', 'DCSync', 'DCFor'],
  [1, 'Policies are applied by themselves within about 90 minutes', 'GPLink', 'GPOAppliesTo'],
  [1, 'One certificate request', 'ADCSESC1', 'ADCSESC6a', 'ADCSESC13'],
  [
    1,
    'One call to the directory or to the resource manager, with a right or role that is active',
    ...([
      ...(['AZOwns', 'AZOwner', 'AZUserAccessAdministrator', 'AZAppAdmin', 'AZCloudAppAdmin'] as const),
      ...([
        'AZAddSecret',
        'AZAddMembers',
        'AZGrant',
        'AZGrantSelf',
        'AZMGAddMember',
        'AZMGAddSecret',
      ] as const),
      ...(['AZMGGrantAppRoles', 'AZMGGrantRole', 'AZGlobalAdmin', 'AZPrivilegedRoleAdmin'] as const),
      'AZPrivilegedAuthAdmin',
    ] as const),
  ],
  [
    2,
    'A write or grant first, then its use',
    ...([
      ...(['GenericWrite', 'WriteDacl', 'Owns', 'WriteOwner'] as const),
      ...(['OwnsLimitedRights', 'WriteOwnerLimitedRights'] as const),
    ] as const),
  ],
  [
    2,
    'A credential or mapping is written, then a certificate authenticates',
    ...(['AddKeyCredentialLink', 'WriteAltSecurityIdentities', 'WritePublicInformation'] as const),
  ],
  [
    2,
    'Takes an account with a service name, and then impersonation',
    ...(['AddAllowedToAct', 'WriteAccountRestrictions', 'AllowedToAct', 'AllowedToDelegate'] as const),
  ],
  [2, 'A key is taken, something is forged, then used', 'GoldenCert', 'SameForestTrust', 'HasTrustKeys'],
  [
    2,
    'Several writes or reads with a special tool',
    ...([
      ...(['WriteGPLink', 'CanApplyGPO', 'SQLAdmin', 'DumpSMSAPassword', 'SyncLAPSPassword'] as const),
      ...(['CanBackup', 'CanReanimateTombstone', 'CanUseBadSuccessor'] as const),
    ] as const),
  ],
  [
    2,
    'Two requests, or an object or the authority is changed first',
    ...([
      ...(['ADCSESC3', 'ADCSESC4', 'ADCSESC6b', 'ADCSESC9a', 'ADCSESC9b'] as const),
      ...(['ADCSESC10a', 'ADCSESC10b', 'ADCSESC16', 'ManageCA'] as const),
    ] as const),
  ],
  [
    2,
    'Code is changed or run, then its identity is used',
    ...([
      ...(['AZContributor', 'AZAvereContributor', 'AZWebsiteContributor'] as const),
      ...(['AZLogicAppContributor', 'AZAutomationContributor', 'AZAKSContributor'] as const),
    ] as const),
  ],
  [
    2,
    'One action gets the right, another uses it',
    ...([
      ...(['AZKeyVaultContributor', 'AZGetKeys', 'AZAddOwner', 'AZMGAddOwner', 'AZAuthenticatesTo'] as const),
      ...(['AZResetPassword', 'AZRoleEligible', 'SyncedToEntraUser'] as const),
    ] as const),
  ],
  [4, 'The user must be signed in, and the protection of credentials off or overcome', 'HasSession'],
  [
    4,
    'Another host must call, and the attacker be between',
    ...([
      ...(['CoerceToTGT', 'CoerceAndRelayNTLMToSMB', 'CoerceAndRelayNTLMToADCS'] as const),
      ...(['CoerceAndRelayNTLMToLDAP', 'CoerceAndRelayNTLMToLDAPS'] as const),
    ] as const),
  ],
  [
    4,
    'A fitting target, a pending request, a second account or the check-in of a device must be there',
    ...([
      ...(['SpoofSIDHistory', 'AbuseTGTDelegation', 'ManageCertificates'] as const),
      ...(['AZRoleApprover', 'AZExecuteCommand'] as const),
    ] as const),
  ],
  [4, 'Needs that passwords are written back, which is not collected', 'SyncedToADUser'],
  [4, 'Needs an authority without the update of November 2024, which is not collected', 'ADCSESC15'],
  [
    8,
    'Signs in without the rights of an administrator: the host needs a weakness',
    ...(['CanRDP', 'CanPSRemote', 'ExecuteDCOM'] as const),
  ],
  [8, 'A password has to be cracked', 'WriteSPN'],
];

/** Of each kind that takes part in attack paths; a test asks for all of them. */
export const ATTACK_EFFORTS: ReadonlyMap<TraversableKindName, StepEffort> = new Map(
  ROWS.flatMap(([effort, reason, ...kinds]) => kinds.map((kind) => [kind, { effort, reason }] as const)),
);

/** By the number of the kind. */
export type EffortTable = ReadonlyMap<number, StepEffort>;

/**
 * @param changed efforts that stand instead of those of the table
 * @param custom kinds of other sources that count as steps, too
 */
export function effortTable(
  changed: Readonly<Partial<Record<TraversableKindName, number>>> = {},
  custom: ReadonlyMap<number, StepEffort> = new Map(),
): EffortTable {
  const table = new Map<number, StepEffort>(custom);
  for (const { name, traversable } of EDGE_KINDS) {
    if (!traversable) continue;
    const kind = name as TraversableKindName;
    const known = ATTACK_EFFORTS.get(kind);
    if (known === undefined) throw new Error(`${kind} has no attack effort`);
    const other = changed[kind];
    const reason = 'As configured';
    table.set(
      EdgeKind[kind],
      other === undefined || other === known.effort ? known : { effort: other as AttackEffort, reason },
    );
  }
  return table;
}
