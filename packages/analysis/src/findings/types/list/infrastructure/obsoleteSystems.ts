/**
 * Windows versions without security updates, as of 2025-10-14 (the end of Windows 10). Long-term servicing releases of Windows 10 are
 * supported for longer. Source: Microsoft, product lifecycle.
 */
const OBSOLETE: readonly RegExp[] = [
  /\bWINDOWS NT\b/,
  /\bWINDOWS (2000|XP|VISTA|7|8|8\.1)\b(?!\.)/,
  /\bWINDOWS SERVER.* (2000|2003|2008|2012)\b/,
  /\bWINDOWS 2000 SERVER\b/,
  /\bWINDOWS 10\b(?!.*(LTS[BC]|IOT))/,
];

/** @param system name in the directory, upper case */
export function isObsolete(system: string): boolean {
  return OBSOLETE.some((pattern) => pattern.test(system.replaceAll('®', '')));
}
