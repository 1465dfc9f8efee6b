/** Converts a check between its form and its file for version control. */
import type { CheckDefinition } from '@clew/api';

export const SEVERITIES = ['exposure', 'impact', 'critical', 'high', 'moderate', 'low'] as const;

/** Typed values: lists are texts too. */
export interface CheckDraft {
  readonly name: string;
  readonly title: string;
  readonly category: string;
  readonly severity: (typeof SEVERITIES)[number];
  readonly cypher: string;
  readonly why: string;
  readonly remediation: string;
  readonly techniques: string;
  readonly owner: string;
  /** Kinds of relationships whose removal repairs a finding; empty without a repair. */
  readonly repairKinds: string;
  readonly repairDirection: 'in' | 'out';
}

export const NEW_CHECK: CheckDraft = {
  name: '',
  title: '',
  category: '',
  severity: 'moderate',
  cypher: '',
  why: '',
  remediation: '',
  techniques: '',
  owner: '',
  repairKinds: '',
  repairDirection: 'in',
};

export const draftOf = (definition: CheckDefinition): CheckDraft => ({
  name: definition.name,
  title: definition.title,
  category: definition.category,
  severity: definition.severity,
  cypher: definition.cypher,
  why: definition.remediation.short_description,
  remediation: definition.remediation.short_remediation,
  techniques: definition.techniques.join(', '),
  owner: definition.owner,
  repairKinds: definition.repair?.relationship_kinds.join(', ') ?? '',
  repairDirection: definition.repair?.direction ?? 'in',
});

const listOf = (text: string): string[] => text.split(/[\s,;]+/).filter((one) => one !== '');

/**
 * @param stored the check that the draft is based on: members without a form field stay unchanged
 * @returns a document as in files, without empty members
 */
export function documentOf(draft: CheckDraft, stored?: CheckDefinition): Readonly<Record<string, unknown>> {
  const kinds = listOf(draft.repairKinds);
  const texts = {
    ...filled('long_description', stored?.remediation.long_description),
    ...filled('long_remediation', stored?.remediation.long_remediation),
    ...filled('short_description', draft.why),
    ...filled('short_remediation', draft.remediation),
  };
  return {
    name: draft.name.trim(),
    title: draft.title.trim(),
    severity: draft.severity,
    cypher: draft.cypher.trim(),
    ...filled('category', draft.category),
    ...(Object.keys(texts).length > 0 && { remediation: texts }),
    ...(draft.techniques.trim() !== '' && { techniques: listOf(draft.techniques) }),
    ...filled('owner', draft.owner),
    ...(kinds.length > 0 && {
      repair: { change: 'remove-relation', relationship_kinds: kinds, direction: draft.repairDirection },
    }),
    ...(stored?.enabled === false && { enabled: false }),
  };
}

const filled = (name: string, text: string | undefined) =>
  text === undefined || text.trim() === '' ? {} : { [name]: text.trim() };

/** A query can be tried before its check has a name. */
export function testDocument(draft: CheckDraft, stored?: CheckDefinition): Readonly<Record<string, unknown>> {
  const document = documentOf(draft, stored);
  return {
    ...document,
    name: document.name === '' ? 'Check_Draft' : document.name,
    title: document.title === '' ? 'Draft' : document.title,
  };
}

/** A larger number of files is not a manual import, and each file is small. */
const MAX_FILES = 500;
const MAX_FILE_BYTES = 1_000_000;

export interface ReadCheck {
  readonly file: string;
  /** Name in the document; `undefined` if the file is not a valid document. */
  readonly name?: string;
  readonly document?: Readonly<Record<string, unknown>>;
  readonly fault?: string;
}

/** Reads files of `clew check export`: one document per file. The service checks their contents. */
export async function readCheckFiles(files: readonly File[]): Promise<ReadCheck[]> {
  return Promise.all(
    files.map(async (file, at): Promise<ReadCheck> => {
      if (at >= MAX_FILES) return { file: file.name, fault: `More than ${MAX_FILES} files at once` };
      if (file.size > MAX_FILE_BYTES) return { file: file.name, fault: 'The file is too large for a check' };
      try {
        const document: unknown = JSON.parse(await file.text());
        if (typeof document !== 'object' || document === null || Array.isArray(document))
          return { file: file.name, fault: 'The file is not a single JSON object' };
        const { name } = document as Readonly<Record<string, unknown>>;
        if (typeof name !== 'string' || name === '')
          return { file: file.name, fault: 'The check has no name' };
        return { file: file.name, name, document: document as Readonly<Record<string, unknown>> };
      } catch {
        return { file: file.name, fault: 'The file is not JSON' };
      }
    }),
  );
}
