/** `clew completion SHELL`: a shell completion script for commands and options, generated from the commands. */
import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Words that may follow a chain of commands, such as `plan constraints`. */
function wordsByChain(program: Command): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, readonly string[]>();
  const visit = (command: Command, chain: readonly string[]): void => {
    const options = command.options.flatMap(({ long }) => (long == null ? [] : [long]));
    const below = command.commands.map((each) => each.name());
    words.set(chain.join(' '), [...below, ...options, '--help']);
    for (const each of command.commands) visit(each, [...chain, each.name()]);
  };
  visit(program, []);
  return words;
}

/** @returns the script; names of commands and options only have letters, digits and hyphens */
export function completionScript(program: Command, shell: Shell): string {
  const words = wordsByChain(program);
  return shell === 'fish' ? fishScript(words) : bashScript(words, shell);
}

function bashScript(words: ReadonlyMap<string, readonly string[]>, shell: Shell): string {
  const cases = [...words].map(([chain, all]) => `    '${chain}') words='${all.join(' ')}' ;;`);
  const known = [...words.keys()].filter((chain) => chain !== '').map((chain) => `'${chain}'`);
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_clew() {
  local chain='' word words='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${chain:+$chain }\${COMP_WORDS[at]}"
    case "$word" in
    ${known.join(' | ')}) chain="$word" ;;
    esac
  done
  case "$chain" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _clew clew
`;
}

function fishScript(words: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...words].map(([chain, all]) => {
    const inside = chain === '' ? [] : chain.split(' ');
    const children = all.filter((word) => !word.startsWith('-'));
    const seen = inside.map((name) => `__fish_seen_subcommand_from ${name}`);
    const open = children.length > 0 ? [`not __fish_seen_subcommand_from ${children.join(' ')}`] : [];
    return `complete -c clew -n '${[...seen, ...open].join('; and ') || 'true'}' -a '${all.join(' ')}'`;
  });
  return `${lines.join('\n')}\n`;
}
