import { useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';

/** The columns that this person chose for the collection, on each device; the first ones until then. */
export function useChosenColumns(
  collection: string,
  first: readonly string[],
): [readonly string[], (shown: readonly string[]) => void] {
  const { request, session, messages, site = '' } = useAdmin();
  const key = `columns:${site}:${collection}`;
  const preferences = session.preferences();
  const [chosen, setChosen] = useState(() => toColumns(preferences[key]));
  return [
    chosen ?? first,
    (shown) => {
      setChosen(shown);
      // The profile is read once for each page, and this list may be left and opened again.
      preferences[key] = shown;
      request('PATCH', '/api/admin/profile', { body: { preferences: { [key]: shown } } }).catch((error) =>
        messages.fail(toSentence(error)),
      );
    },
  ];
}

function toColumns(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}
