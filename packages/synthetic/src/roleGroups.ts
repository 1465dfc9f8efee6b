/** Groups of administrators, by purpose. */

export const ROLE_GROUPS = [
  ...[
    'T0_ADMINS',
    'T0_SERVER_ADMINS',
    'T0_PKI_ADMINS',
    'T0_BACKUP',
    'T1_SERVER_ADMINS',
    'T1_DATABASE_ADMINS',
  ],
  ...[
    'T1_VIRTUALISATION',
    'T2_HELPDESK',
    'T2_WORKSTATION_ADMINS',
    'GPO_EDITORS',
    'LAPS_READERS',
    'DOMAIN_JOIN',
  ],
  ...['CERTIFICATE_MANAGERS', 'HIGH_ASSURANCE', 'VPN_USERS', 'REMOTE_WORKERS', 'ALL_STAFF', 'MIGRATED_USERS'],
  ...['EXCHANGE TRUSTED SUBSYSTEM', 'EXCHANGE WINDOWS PERMISSIONS'],
] as const;
export type RoleGroup = (typeof ROLE_GROUPS)[number];
