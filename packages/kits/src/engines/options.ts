/** Parameters of single engines, with which an administrator decides what a collection does not show. */

const DECLARATIONS = {
  Subject: "[ValidateSet('Default', 'User', 'Machine')] [string] $Subject = 'Default'",
  Exempt: '[string[]] $Exempt = @()',
} as const;

export type OptionName = keyof typeof DECLARATIONS;

/** @returns the head of a script or engine with the parameter as its last one */
export const withOption = (head: string, name: OptionName | undefined): string =>
  name === undefined ? head : head.replace("$Folder = ''\n)", `$Folder = '',\n  ${DECLARATIONS[name]}\n)`);
