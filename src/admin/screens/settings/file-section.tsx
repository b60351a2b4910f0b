// What the configuration file decides: shown, because one looks for it here, and not changed here.
import { MANIFEST_URL, type Manifest } from '../../config/manifest.ts';
import { useResource } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { Loaded } from '../../ui/states.tsx';

interface WholeManifest extends Manifest {
  build?: Manifest['build'] & { command?: string; outDir?: string; baseUrl?: string };
  remote?: { url: string; branch?: string };
}

export function FileSection({ contentDir }: { contentDir: string }) {
  const { state, refresh } = useResource<WholeManifest>(MANIFEST_URL);
  return (
    <>
      <p class="note">{t('file.text')}</p>
      <Loaded state={state} onRetry={refresh}>
        {(manifest) => (
          <dl class="setting-facts">
            {listFacts(manifest, contentDir).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Loaded>
    </>
  );
}

function listFacts(manifest: WholeManifest, contentDir: string): [name: string, value: string][] {
  const { collections, blocks, forms, locales, defaultLocale, build = {}, ai, remote } = manifest;
  const none = t('file.none');
  const labels = (all: readonly { name: string; label?: string }[]): string =>
    all.map(({ label, name }) => label ?? name).join(', ') || none;
  return [
    [t('file.collections'), labels(collections)],
    [t('file.blocks'), labels(blocks)],
    [t('file.forms'), labels(forms)],
    [t('file.defaultLocale'), defaultLocale ?? none],
    [t('file.locales'), locales.join(', ') || none],
    [t('file.build'), build.command ?? t('file.builtIn')],
    [t('file.baseUrl'), build.baseUrl ?? none],
    [t('file.ai'), ai?.provider ? [ai.provider, ai.model].filter(Boolean).join(', ') : none],
    [t('file.remote'), remote ? [remote.url, remote.branch].filter(Boolean).join(', ') : none],
    [t('file.contentDir'), contentDir],
  ];
}
