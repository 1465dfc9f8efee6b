export {
  CONFIGURATION_TABLE,
  type Config,
  ConfigError,
  defaultDataDirectory,
  readConfig,
  unknownVariables,
} from './config.ts';
export { createLogger } from './log.ts';
export { type RunningService, type StartOptions, startService } from './main.ts';
export { VERSION } from './version.ts';
