/** Words that this project does not write, with those that it writes in their place. Each pattern is taken as it is. */
export const PLAIN_WORDS: readonly (readonly [unwanted: RegExp, plain: string])[] = [
  [/\b[Aa]new\b/g, 'again'],
  [/\b[Ww]hoever\b/g, 'anyone who'],
  [/\b[Ll]ets go\b/g, 'releases'],
  // Names of accounts and variables in tests may be so.
  [/(?:(?<= )nobody|\bNobody)(?= (?!at all)[a-z])/g, 'no one'],
  [/\b[Tt](?:aken?|akes|aking|ook) away\b/g, 'remove'],
  [/\bTake (?:the|an?) [^.;:'"`$]{1,60}? (?:away|off|out)\b(?! of Tier Zero)/g, 'Remove'],
  [/\b(?:MOST|LONGEST|LARGEST)_[A-Z]\w*/g, 'MAX_...'],
  [/\b(?:FEWEST|LEAST|SMALLEST)_[A-Z]\w*/g, 'MIN_...'],
];
