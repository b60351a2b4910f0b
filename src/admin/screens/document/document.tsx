// The document editor: finds the collection and the document of the address.

import '../../text/en-document.ts';
import '../../text/en-media.ts';
import '../../text/en-rich-text.ts';
import { useRoute } from 'preact-iso/router';
import { MANIFEST_URL, type Manifest, singularOf } from '../../config/manifest.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { FailedScreen } from '../../shell/failed-screen.tsx';
import { LoadingScreen } from '../../shell/loading-screen.tsx';
import { NoAccess } from '../../shell/no-access.tsx';
import { NotFound } from '../../shell/screen.tsx';
import { t } from '../../text/translate.ts';
import { Editor } from './editor.tsx';
import { useDocument } from './use-document.ts';

const NEW = 'new';

export default function DocumentScreen() {
  const { session } = useAdmin();
  if (!session.may('content:read')) return <NoAccess right={t('right.content:read')} />;
  return <KnownScreen />;
}

function KnownScreen() {
  const { session } = useAdmin();
  const { params } = useRoute();
  const { state, refresh } = useResource<Manifest>(MANIFEST_URL);
  const slug = params.slug === NEW ? undefined : params.slug;
  if (state.kind === 'loading') return <LoadingScreen heading={slug} />;
  if (state.kind === 'failed') return <FailedScreen error={state.error} onRetry={refresh} />;
  const collection = state.data.collections.find(({ name }) => name === params.collection);
  if (!collection) return <NotFound />;
  if (slug === undefined && !session.may('content:draft')) return <NoAccess right={t('right.content:draft')} />;
  return <OpenScreen key={collection.name} manifest={state.data} collection={collection} slug={slug} />;
}

interface OpenScreenProps {
  manifest: Manifest;
  collection: Manifest['collections'][number];
  slug: string | undefined;
}

function OpenScreen({ manifest, collection, slug }: OpenScreenProps) {
  const { query } = useRoute();
  const { opened, retry, lastAuthor } = useDocument(manifest, collection, slug, new URLSearchParams(query));
  const heading = slug ?? t('document.new', { label: singularOf(collection) });
  if (opened.kind === 'loading') return <LoadingScreen heading={heading} />;
  if (opened.kind === 'missing') return <NotFound />;
  if (opened.kind === 'failed') return <FailedScreen error={opened.error} onRetry={retry} />;
  return (
    <Editor {...{ manifest, collection, lastAuthor }} document={opened.document} singular={singularOf(collection)} />
  );
}
