/** The parts of identity that the service assembles. */

export { lastBackup } from './backups/backupHistory.ts';
export { backUp, restore } from './backups/backups.ts';
export { type Backups, openBackups } from './backups/scheduledBackups.ts';
export type { Clock } from './clock.ts';
export type { FirstAdministrator } from './firstAdministrator.ts';
export { openIdentity } from './identity.ts';
export { hasStore } from './installedStore.ts';
export { MIN_PASSWORD_LENGTH } from './passwordPolicy.ts';
export type { PasswordHasher } from './passwords.ts';
export { PasswordResetError, resetPassword } from './resetPassword.ts';
export { type KeyRotation, rotateKey } from './rotateKey.ts';
export { passwordDays, setPasswordDays } from './secrets.ts';
export { failedSignIns, samlCertificateEnds } from './upkeep.ts';
