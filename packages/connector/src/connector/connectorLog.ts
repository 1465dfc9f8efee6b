export interface ConnectorLog {
  info(message: string): void;
  warn(message: string): void;
}
