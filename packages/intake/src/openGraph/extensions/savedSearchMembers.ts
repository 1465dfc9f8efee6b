/**
 * Reads the saved queries that an author shares with all users.
 *
 * Rule: `docs/extensions.md#saved-searches`.
 */
import type { StoredSavedSearch } from '@clew/store';
import { shown } from './faults.ts';
import type { Members } from './members.ts';
import { noteText, type TextReading } from './textNotes.ts';

const MAX_SEARCHES = 500;
/** Same limits as for saved queries. */
const MAX_NAME = 500;
const MAX_QUERY = 60_000;
const MAX_DESCRIPTION = 10_000;

export function readSavedSearches(
  root: Members,
  { compiled, known: names }: TextReading,
): StoredSavedSearch[] {
  const known = new Map<string, string>();
  return root.objects('saved_searches', MAX_SEARCHES).map((search) => {
    const name = search.text('name', { required: true, max: MAX_NAME }).trim();
    const before = known.get(name);
    if (name !== '' && before !== undefined)
      search.fault('name', (placeOf) => `is also the name at ${placeOf(before)}: ${shown(name)}`);
    else known.set(name, search.at('name'));
    const query = search.text('query', { required: true, max: MAX_QUERY }).trim();
    const text = { members: search, member: 'query', text: query, use: 'search' } as const;
    if (query !== '') noteText(text, compiled({ text: query, takesParameters: true }), names);
    return { name, description: search.text('description', { max: MAX_DESCRIPTION }), query };
  });
}
