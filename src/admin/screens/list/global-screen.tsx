// A collection of one document has no list: its address leads to the document.
import { useEffect } from 'preact/hooks';
import { toDocumentPath } from '../../config/document-path.ts';
import type { CollectionInfo } from '../../config/manifest.ts';
import { useResource } from '../../shell/admin.ts';
import { Screen } from '../../shell/screen.tsx';
import { useNavigate } from '../../shell/use-navigate.ts';
import { Loaded, Loading } from '../../ui/states.tsx';
import type { DocumentPage } from './row-pages.ts';

export function GlobalScreen({ collection }: { collection: CollectionInfo }) {
  const url = `/api/cms/${encodeURIComponent(collection.name)}?orderBy=createdAt&order=asc&limit=1`;
  const { state, refresh } = useResource<DocumentPage>(url);
  return (
    <Screen heading={collection.label}>
      <Loaded state={state} onRetry={refresh}>
        {({ documents }) => <Leave to={toDocumentPath(collection.name, documents[0]?.slug ?? 'new')} />}
      </Loaded>
    </Screen>
  );
}

function Leave({ to }: { to: string }) {
  const navigate = useNavigate();
  useEffect(() => navigate(to, true), [to]);
  return <Loading />;
}
