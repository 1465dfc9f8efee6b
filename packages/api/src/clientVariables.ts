/** Variables of the command line: the address of the service, credentials, and files of a collector. */
export const CLIENT_VARIABLES: readonly string[] = [
  ...['CLEW_URL', 'CLEW_TOKEN_ID', 'CLEW_TOKEN_KEY', 'CLEW_TOKEN_KEY_FILE', 'CLEW_TIMEOUT'],
  ...['CLEW_COLLECT_PASSWORD_FILE', 'CLEW_COLLECT_SECRET_FILE', 'CLEW_COLLECTOR_TOKEN_FILE'],
];
