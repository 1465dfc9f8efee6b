/**
 * Phrases that a native technical writer would replace, with the standard term for each. They hold for the comments of packages that
 * were rewritten in standard terms; add a package to `REWRITTEN` once its comments pass.
 */

/** Files whose comments have to be in standard terms. */
export const REWRITTEN = /^packages\/[a-z]+\/src\/(?!.*\.test\.ts$)|^scripts\/(?!vocabulary\/|.*\.test\.ts$)/;

export const STANDARD_TERMS: readonly (readonly [unwanted: RegExp, plain: string])[] = [
  [
    /^\s*(?:So\s+that|Those\s+(?:that|who|of)|That\s+which|Nothing|None(?!\s+of)|Whatever)\b/g,
    'a sentence with a subject',
  ],
  [
    /@(?:returns?|param\s+\w+)\s+(?:nothing|none|those|all that|where)\b/gi,
    '`undefined` if" or "the items that',
  ],
  [/^\s*Most\s+(?:bytes|characters)\b/g, 'Maximum number of'],
  [/\bthe\s+own\b/gi, 'its own'],
  [/\bits\s+own\s+included\b/gi, 'including its own'],
  [/\bto\s+the\s+letter\b/gi, 'exactly'],
  [
    /\b(?:at\s+(?:least|most)|for|than)\s+so\s+(?:long|many|much)\b|\bso\s+long\s+ago\b/gi,
    'this many" or "this long',
  ],
  [/\band\s+(?:its|their)\s+kin\b/gi, 'and related'],
  [/\bnothing\s+but\b/gi, 'only'],
  [/\bnow\s+and\s+then\b/gi, 'regularly'],
  [/\bfor\s+want\s+of\b/gi, 'without'],
  [/\b(?:as|in|of)\s+this\s+field\b/gi, 'of BloodHound users'],
  [/\bof\s+this\s+project\b/gi, "Clew's own"],
  [/\bby\s+nature\b/gi, 'always'],
  [/\bpeople\s+(?:often\s+)?writes?\b/gi, 'users write'],
  [/\bhand(?:s|ed|ing)?\s+on\b/gi, 'pass on'],
  [/\bwork(?:s|ed|ing)?\s+out\b/gi, 'compute" or "evaluate'],
  [/\bc(?:omes?|ame)\s+to\s+(?:the|an?)\s+(?:zone|nodes?|target|object|group|end)\b/gi, 'reach'],
  [/\b(?:is|are|was|were)\s+there\b/gi, 'exists'],
  [/\b(?:of|for|by|from)\s+what\s+(?:is|are|was|were)\b/gi, 'the name of the thing'],
  [/\bin\s+place\s+of\b/gi, 'instead of'],
  [/\bas\s+\w+(?:\s+\w+)?\s+(?:has|have)\s+(?:it|them)\b/gi, 'as in'],
  [/\bin\s+(?:its|their)\s+order\b/gi, 'in order'],
  [/\botherwise\s+than\b/gi, 'differently than'],
  [/\bstands?\s+there\b/gi, 'is written'],
  [/\bany\s+more\b(?=\s*(?:[.,;:)]|$))/gi, 'no longer'],
  [/\bsomebody\b/gi, 'someone'],
  [/\bgo(?:es)?\s+with\s+(?:it|them)\b/gi, 'is deleted with'],
  [/\bendless(?:ly)?\b/gi, 'infinite" or "exponential'],
  [/\bunit(?:e|es|ed|ing)\b/gi, 'merge'],
  [/\bwhere\s+(?:none|nothing)\b/gi, 'if no'],
  [/@throws\s+\w+(?:\s+\d+)?\s+(?:when|where)\b/g, '@throws ... if'],
  [/\bwithout\s+regard\s+to\s+case\b/gi, 'case-insensitive'],
  [/\btak(?:es?|ing|en)\s+part\s+in\b/gi, 'is part of'],
  [/\bsome\s+\d[\d,]*\b/gi, 'about'],
  [/\bunder\s+way\b/gi, 'running'],
  [/\bfor\s+ever\b/gi, 'forever'],
  [/\bput\s+(?:into|in|out|at|behind)\b/gi, 'add to" or "write to'],
  [/\bheld\s+against\b/gi, 'compared with'],
  [/\bnewest\s+analys[ie]s\b/gi, 'latest analysis'],
];
