/** English, the language of most generated organizations, also of those without a word for tiers. */
import { DEPARTMENTS, FIRST_NAMES, LAST_NAMES } from '../names.ts';
import type { Words } from './dialect.ts';

export const ENGLISH: Words = {
  ...{ firstNames: FIRST_NAMES, lastNames: LAST_NAMES, departments: DEPARTMENTS },
  ...{ roles: {}, builtIn: {}, places: {}, applicationRoles: {} },
  groups: {
    ...{ department: 'DEPT_', staff: 'STAFF_', helpdesk: 'T2_HELPDESK_', team: 'TEAM_', share: 'FS_' },
    ...{ application: 'APP_', project: 'PRJ_', access: 'ACL_' },
  },
  hosts: { controller: 'DC', workstation: 'WS', terminalServer: 'TS', leftover: 'OLD' },
  ...{ tiers: ['T0-', 'T1-', 'T2-'], service: 'SVC_', leaver: 'X' },
};

export const PLAIN: Words = {
  ...ENGLISH,
  departments: [
    ...['ACCOUNTING', 'SALES EMEA', 'BRAND', 'DEVELOPMENT', 'SCIENCE', 'LAWYERS', 'PEOPLE', 'TRANSPORT'],
    ...['PURCHASING', 'PLANT', 'INSPECTION', 'CUSTOMER CARE', 'BUILDINGS', 'BOARD'],
  ],
  roles: {
    ...{ T0_ADMINS: 'DIRECTORY TEAM', T0_SERVER_ADMINS: 'CORE PLATFORM', T0_PKI_ADMINS: 'TRUST SERVICES' },
    ...{ T0_BACKUP: 'DATA PROTECTION', T1_SERVER_ADMINS: 'HOSTING', T1_DATABASE_ADMINS: 'DATABASES' },
    ...{ T1_VIRTUALISATION: 'HYPERVISORS', T2_HELPDESK: 'SERVICE POINT', GPO_EDITORS: 'DESKTOP ENGINEERING' },
    ...{ T2_WORKSTATION_ADMINS: 'FIELD SERVICE', LAPS_READERS: 'LOCAL PASSWORDS', DOMAIN_JOIN: 'IMAGING' },
    ...{ CERTIFICATE_MANAGERS: 'ISSUERS', HIGH_ASSURANCE: 'VERIFIED', VPN_USERS: 'REMOTE ACCESS' },
    ...{ REMOTE_WORKERS: 'HOME OFFICE', ALL_STAFF: 'EVERYBODY AT WORK', MIGRATED_USERS: 'WAVE 3' },
  },
  places: {
    ...{ TIER0: 'CORE', TIER1: 'HOSTING', TIER2: 'CLIENT SERVICES', LEGACY: 'ATTIC', SITES: 'OFFICES' },
    ...{ 'SERVICE ACCOUNTS': 'ROBOTS', 'TIER 0 BASELINE': 'CORE BASELINE', WORKSTATIONS: 'CLIENTS' },
  },
  groups: {
    ...{ department: 'ALL ', staff: 'OFFICE ', helpdesk: 'SERVICE POINT ', team: 'CREW ', share: 'FILES ' },
    ...{ application: 'SYSTEM ', project: 'PROJECT ', access: 'ACCESS ' },
  },
  hosts: { controller: 'ADS', workstation: 'PC', terminalServer: 'RDSH', leftover: 'RETIRED' },
  ...{ tiers: ['CORE.', 'HOST.', 'DESK.'], service: 'ROBOT_', leaver: 'LEFT' },
};
