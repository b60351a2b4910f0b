// The documents of a collection: found, sorted, opened, and changed many at a time.
import '../../text/en-lists.ts';
import { useRoute } from 'preact-iso/router';
import { type CollectionInfo, MANIFEST_URL, type Manifest } from '../../config/manifest.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { FailedScreen } from '../../shell/failed-screen.tsx';
import { LoadingScreen } from '../../shell/loading-screen.tsx';
import { NoAccess } from '../../shell/no-access.tsx';
import { NotFound } from '../../shell/screen.tsx';
import { t } from '../../text/translate.ts';
import { CollectionScreen } from './collection-screen.tsx';
import { GlobalScreen } from './global-screen.tsx';

export default function List() {
  const { session } = useAdmin();
  const { params } = useRoute();
  if (!session.may('content:read')) return <NoAccess right={t('right.content:read')} />;
  return <ListOf name={params.collection ?? ''} />;
}

function ListOf({ name }: { name: string }) {
  const { state, refresh } = useResource<Manifest>(MANIFEST_URL);
  if (state.kind === 'failed') return <FailedScreen error={state.error} onRetry={refresh} />;
  if (state.kind === 'loading') return <LoadingScreen heading={name} />;
  const manifest = state.data;
  const collection = manifest.collections.find((one) => one.name === name);
  if (!collection) return <NotFound />;
  if (collection.kind === 'global') return <GlobalScreen key={name} collection={collection} />;
  return (
    <CollectionScreen
      key={name}
      collection={collection}
      locales={localesOf(collection, manifest)}
      defaultLocale={manifest.defaultLocale}
    />
  );
}

function localesOf(collection: CollectionInfo, { locales }: Manifest): readonly string[] {
  return collection.translatable === false ? [] : (collection.locales ?? locales);
}
