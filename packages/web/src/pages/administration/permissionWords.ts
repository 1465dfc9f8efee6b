/** Permissions in words; hovering shows their API names. */
import type { PERMISSIONS } from '@clew/model';

type PermissionName = (typeof PERMISSIONS)[number]['fullName'];

const WORDS: Readonly<Record<PermissionName, string>> = {
  'app/ReadAppConfig': 'See settings and webhooks',
  'app/WriteAppConfig': 'Change settings and webhooks',
  'risks/GenerateReport': 'Analyze findings again',
  'risks/ManageRisks': 'Accept and reopen findings',
  'audit_log/Read': 'See the audit log',
  'auth/AcceptEULA': 'Accept the license',
  'auth/CreateToken': 'Create API tokens',
  'auth/ManageSelf': 'Change your own profile',
  'auth/ManageUsers': 'Add, change and remove users',
  'auth/ManageProviders': 'Change single sign-on',
  'auth/ReadUsers': 'See users and their tokens',
  'auth/ReadUsersMinimal': 'See names of users',
  'auth/ReadProviders': 'See single sign-on',
  'clients/Manage': 'Register collectors and schedule their runs',
  'clients/Read': 'See collectors',
  'clients/Tasking': 'Run as a collector',
  'collection/ManageJobs': 'Start and cancel collector runs',
  'collection/ReadJobs': 'See collector runs',
  'graphdb/Read': 'See the graph, findings and plans',
  'graphdb/Write': 'Change zones and selectors',
  'graphdb/Mutate': 'Change the graph with queries',
  'graphdb/IngestManage': 'Upload collections',
  'graphdb/IngestRead': 'See uploads',
  'saved_queries/Read': 'See saved queries',
  'saved_queries/Write': 'Save queries, drawings and plans',
  'db/Wipe': 'Delete data',
  'opengraph/Read': 'See extensions',
  'opengraph/Write': 'Install and remove extensions',
  'analysis/Request': 'Start an analysis',
  'alerts/Read': 'See alerts',
  'alerts/Manage': 'Change alerts',
};

/** Additional permission names used in roles. */
const OLDER: Readonly<Record<string, string>> = { 'graphdb/Ingest': 'Upload collections (older name)' };

/** @param name `authority/Name` @returns words; an unknown permission keeps its name */
export const permissionWords = (name: string): string =>
  Object.hasOwn(WORDS, name) ? WORDS[name as PermissionName] : (OLDER[name] ?? name);
