// The fields that a commit changed, each word by word.
import { labelOfKey } from '../../config/key-label.ts';
import type { CollectionInfo } from '../../config/manifest.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import { asShown } from '../../fields/as-shown.ts';
import { useResource } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { Loaded } from '../../ui/states.tsx';
import { ValueDifference } from '../../ui/value-difference.tsx';

interface ChangedField {
  field: string;
  before?: unknown;
  after?: unknown;
}

export interface ChangesProps {
  collection: CollectionInfo;
  url: string;
  /** Undefined for the first version. */
  from: string | undefined;
  to: string;
}

export function Changes({ collection, url, from, to }: ChangesProps) {
  const changes = useResource<{ fields: readonly ChangedField[] }>(from && `${url}/diff?from=${from}&to=${to}`);
  const first = useResource<StoredDocument>(from === undefined ? `${url}/history/${to}` : undefined);
  if (from === undefined) {
    return (
      <Loaded state={first.state} onRetry={first.refresh}>
        {({ data }) => (
          <FieldChanges
            fields={Object.entries(data).map(([field, after]) => ({ field, after }))}
            collection={collection}
          />
        )}
      </Loaded>
    );
  }
  return (
    <Loaded state={changes.state} onRetry={changes.refresh}>
      {({ fields }) => <FieldChanges fields={fields} collection={collection} />}
    </Loaded>
  );
}

function FieldChanges({ fields, collection }: { fields: readonly ChangedField[]; collection: CollectionInfo }) {
  const known = new Map(collection.fields.map((field) => [field.name, field]));
  return fields.length === 0 ? (
    <p class="help">{t('history.same')}</p>
  ) : (
    <dl class="changes">
      {fields.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{labelOfKey(field, collection)}</dt>
          <dd>
            <ValueDifference from={asShown(before, known.get(field))} to={asShown(after, known.get(field))} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
