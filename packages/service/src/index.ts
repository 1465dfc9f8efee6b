export {
  type Config,
  ConfigError,
  createLogger,
  MIN_PASSPHRASE,
  readConfig,
  secretOf,
  unknownVariables,
} from '@clew/common';
export { zipFiles } from '@clew/explore';
export {
  backUp,
  MIN_PASSWORD_LENGTH,
  PasswordResetError,
  resetPassword,
  restore,
} from '@clew/identity/handlers';
export {
  BUNDLE_LIMITS,
  type BundleFile,
  checkOffline,
  type Expectation,
  type ExtensionTest,
  type GivenDefinition,
  readBundleArchive,
  readBundleFiles,
} from '@clew/intake/handlers';
export { isSealed, StartError, type StoredDefinition } from '@clew/store';
export { diagnose } from './advice/doctor.ts';
export { type RunningService, type StartOptions, startService } from './main.ts';
export { migrateDatabase } from './migrateDatabase.ts';
export { rotateInstallationKey } from './rotateInstallationKey.ts';
