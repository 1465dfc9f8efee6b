import { describe, expect, it } from 'vitest';
import { isOfExtension, textOfExtension } from './kindTexts.ts';

const KIND = {
  id: 70_000,
  name: 'Desk_Leads',
  category: 'Other',
  phrase: 'leads',
  meaning: 'The desk leads the person.',
  removal: 'Remove the lead in the desk.',
  origin: 'both',
  is_traversable: true,
  effort: 2,
  effort_reason: null,
  is_builtin: false,
  schema_name: 'Desk',
} as const;

describe('texts of kinds of extensions', () => {
  it('are those of their author', () => {
    expect(textOfExtension(KIND)).toEqual({
      phrase: 'leads',
      meaning: 'The desk leads the person.',
      removal: 'Remove the lead in the desk.',
      effort: 2,
    });
  });

  it('are those of all kinds of uploads where the author left them out', () => {
    const text = textOfExtension({ ...KIND, phrase: '', meaning: '', removal: '', effort: null });
    expect(text.phrase).toBe('desk leads');
    expect(text.meaning).not.toBe('');
    expect(text.removal).not.toBe('');
    expect(text.effort).toBeUndefined();
  });

  it('are shown as text: invisible characters by their codes, long ones cut', () => {
    expect(textOfExtension({ ...KIND, phrase: 'leads \u202eback' }).phrase).toBe('leads ‹202E›back');
    expect(textOfExtension({ ...KIND, phrase: 'x'.repeat(5000) }).phrase.length).toBeLessThanOrEqual(80);
  });

  it('belong to kinds with a namespace, not to zones', () => {
    expect(['Desk_Leads', 'GenericAll', 'Tag_Tier_Zero'].map(isOfExtension)).toEqual([true, false, false]);
  });
});
