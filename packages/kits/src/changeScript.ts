/**
 * The script of a change: a table of literals, and the call of its engine. All names and ids of the change are in the table and in
 * comments of one line each.
 */
import type { Scripted } from './change.ts';
import { ENGINES } from './engines/index.ts';
import { withOption } from './engines/options.ts';
import { comment, literals, note } from './literal.ts';

export interface ScriptOf {
  /** File name: letters, digits and hyphens. */
  readonly id: string;
  /** Digest of the declared change. */
  readonly key: string;
  readonly title: string;
  /** Texts for the administrator. */
  readonly notes: readonly string[];
  /** Collected names, which the script only shows. */
  readonly names: { readonly object: string; readonly principal: string };
  /** Digests of the facts that the change ends. */
  readonly facts: readonly string[];
  /** Questions that Apply shows before its own. */
  readonly questions?: readonly string[] | undefined;
  readonly plan: Scripted;
}

const HEAD = `#Requires -Version 5.1
[CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
param(
  [ValidateSet('Preview', 'Apply', 'Verify', 'Undo')] [string] $Mode = 'Preview',
  [string] $Server = '',
  [string] $Target = '',
  [string] $Folder = ''
)`;

const table = ({ id, key, names, facts, questions = [], plan }: ScriptOf): string => {
  const Collected = { Object: names.object, Principal: names.principal };
  const own = {
    Id: id,
    Key: key,
    CanUndo: plan.undo !== null,
    Facts: facts,
    Questions: questions,
    Collected,
  };
  return `$Change = ${literals({ ...own, ...plan.settings })}`;
};

/** The comments above the script. */
const head = ({ title, notes }: ScriptOf): string =>
  [comment('Change', title), ...notes.map(note)].join('\n');

/** @returns a script that calls the engine in a separate file */
export const changeScript = (one: ScriptOf): string => `${head(one)}
${withOption(HEAD, one.plan.option?.name)}
${table(one)}
& (Join-Path $PSScriptRoot 'engines\\${one.plan.engine}.ps1') -Change $Change @PSBoundParameters
exit $LASTEXITCODE
`;

/** @returns the same script including its engine, as a single file */
export const wholeScript = (one: ScriptOf): string => `${head(one)}
${withOption(HEAD, one.plan.option?.name)}
${table(one)}
& {
${ENGINES[one.plan.engine]}} -Change $Change @PSBoundParameters
`;
