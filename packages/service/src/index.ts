export {
  CONFIGURATION_TABLE,
  type Config,
  ConfigError,
  createLogger,
  defaultDataDirectory,
  readConfig,
  unknownVariables,
  VERSION,
} from '@clew/common';
export { MIN_PASSWORD_LENGTH, PasswordResetError, resetPassword } from '@clew/identity/handlers';
export { StartError } from '@clew/store';
export { type RunningService, type StartOptions, startService } from './main.ts';
