export { StartError } from '@clew/store';
export {
  CONFIGURATION_TABLE,
  type Config,
  ConfigError,
  defaultDataDirectory,
  readConfig,
  unknownVariables,
} from './config/config.ts';
export { createLogger } from './config/log.ts';
export { VERSION } from './config/version.ts';
export { MIN_PASSWORD_LENGTH } from './identity/passwordPolicy.ts';
export { PasswordResetError, resetPassword } from './identity/resetPassword.ts';
export { type RunningService, type StartOptions, startService } from './main.ts';
