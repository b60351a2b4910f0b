import { useAdmin } from '../../shell/admin.ts';
import type { FormEntry, FormFields } from './form-entry.ts';

const NO_FIELDS: FormFields = [];

/** The fields of a form by its name; none until they are loaded, and for a form that the site no longer has. */
export type FieldsOf = (form: string) => FormFields;

/** What reads them is drawn again once they are there. */
export function useFieldsOf(forms: readonly FormEntry[]): FieldsOf {
  const { resources } = useAdmin();
  return (form) => {
    if (!forms.some(({ name, configured }) => name === form && configured)) return NO_FIELDS;
    const { state } = resources.get<{ fields: FormFields }>(`/api/forms/${encodeURIComponent(form)}/schema`);
    return state.value.kind === 'ready' ? state.value.data.fields : NO_FIELDS;
  };
}
