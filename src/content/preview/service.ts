// Previews of drafts, and of what is not saved: a token for one document, for an hour. It must not write anything.
import { type KeyObject, randomBytes } from 'node:crypto';
import type { LinkMaker, LinkMakers } from '../../access/link-makers.ts';
import type { Actor, Principal, SiteRef } from '../../access/principal.ts';
import type { SiteConfig } from '../../config/site-config.ts';
import { forbidden, ServiceError } from '../../lib/errors.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ContentService, DocumentRef } from '../api.ts';
import type { Data, StoredDocument } from '../document.ts';
import { hasThemePage, PREVIEW_PATH, toPreviewUrl } from './preview-address.ts';
import { type PreviewClaims, readPreview, signPreview } from './preview-token.ts';
import { createUnsaved } from './unsaved.ts';

export interface PreviewSite extends SiteRef {
  config: Pick<SiteConfig, 'collections' | 'defaultLocale' | 'build'>;
  content: Pick<ContentService, 'find' | 'get' | 'included' | 'stored' | 'checkDraft'>;
  settings: Pick<Settings, 'read'>;
}

export interface MadePreview {
  /** Null if neither the site's own frontend nor its theme shows the document. */
  url: string | null;
  /** The frontend at `previewSiteUrl`, or this service with the site's theme. */
  shownBy: 'site' | 'theme' | null;
  token: string;
  /** ISO 8601. */
  expiresAt: string;
}

export interface PreviewService {
  /** The site of a token; undefined if this service did not make the token. */
  siteOf(token: string): string | undefined;
  make(
    site: PreviewSite,
    collection: string,
    ref: DocumentRef,
    data: Data | undefined,
    by: PreviewMaker,
  ): Promise<MadePreview>;
  /** Throws 404 for a token that has ended, 403 for another person's without content:write. */
  replace(site: PreviewSite, token: string, data: Data, by: PreviewMaker): Promise<MadePreview>;
  /**
   * The Document as JSON, with what its relations name as its maker may see it. Throws 404 for a token that has ended.
   */
  show(site: PreviewSite, token: string, include?: readonly string[]): Buffer;
  /** The same document as it would be stored. Throws 404 for a token that has ended. */
  documentOf(site: PreviewSite, token: string): StoredDocument;
}

export interface PreviewMaker {
  principal: Principal;
  actor: Actor;
  /** The address of this service as its caller knows it, without a slash at its end. */
  serviceUrl: string;
}

export interface PreviewParts {
  key: KeyObject;
  makers: Pick<LinkMakers, 'of' | 'findPrincipal'>;
  now(): Date;
}

const LIFETIME_MS = 3_600_000;
const NONCE_BYTES = 16;

export function createPreviews({ key, makers, now }: PreviewParts): PreviewService {
  const unsaved = createUnsaved();

  /** Ended: its hour is over, its maker may no longer read drafts, or its document is deleted. */
  function open(site: PreviewSite, token: string): { claims: PreviewClaims; doc: StoredDocument } {
    const claims = readPreview(key, token);
    const maker = claims && claims.expiresAt > now().getTime() ? makers.findPrincipal(claims.maker) : undefined;
    if (!claims || claims.site !== site.id || !maker?.permissions.has('content:read') || !maker.mayTouch(site)) {
      throw ended();
    }
    const known = site.config.collections.some(({ name }) => name === claims.collection);
    const doc = known ? site.content.stored(claims.collection, { id: claims.id }) : undefined;
    if (!doc) throw ended();
    return { claims, doc };
  }

  /** What was typed and not saved, if there is some. Throws if it is gone: what is saved must not pass for it. */
  function unsavedOf({ nonce, isUnsaved }: PreviewClaims): Data | undefined {
    const data = unsaved.find(nonce, now().getTime());
    if (data === 'dropped' || (isUnsaved && !data)) throw ended();
    return data;
  }

  function toMade(
    site: PreviewSite,
    doc: StoredDocument,
    token: string,
    { claims, serviceUrl }: { claims: PreviewClaims; serviceUrl: string },
  ): MadePreview {
    const parentOf = (collection: string, slug: string) => site.content.stored(collection, { slug });
    const expiresAt = new Date(claims.expiresAt).toISOString();
    const own = toPreviewUrl(site.settings.read().previewSiteUrl, { doc, token, config: site.config, parentOf });
    if (own !== null) return { url: own, shownBy: 'site', token, expiresAt };
    if (!hasThemePage(site.config, doc)) return { url: null, shownBy: null, token, expiresAt };
    return { url: `${serviceUrl}${PREVIEW_PATH}${token}`, shownBy: 'theme', token, expiresAt };
  }

  return {
    siteOf: (token) => readPreview(key, token)?.site,
    async make(site, collection, ref, data, { principal, actor, serviceUrl }) {
      site.content.get(collection, ref);
      const doc = site.content.stored(collection, ref)!;
      if (data) await site.content.checkDraft(collection, { id: doc.id }, data, actor);
      const maker: LinkMaker | undefined = makers.of(principal);
      if (!maker) throw new ServiceError('unauthenticated', 'a preview needs an owner; sign in or use an access token');
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      const expiresAt = now().getTime() + LIFETIME_MS;
      const claims = { site: site.id, collection, id: doc.id, maker, expiresAt, nonce, isUnsaved: data !== undefined };
      if (data) unsaved.put(nonce, maker.userId, data, expiresAt);
      return toMade(site, doc, signPreview(key, claims), { claims, serviceUrl });
    },
    async replace(site, token, data, { principal, actor, serviceUrl }) {
      const { claims, doc } = open(site, token);
      if (claims.maker.userId !== principal.userId && !principal.permissions.has('content:write')) {
        throw forbidden('the preview is another person’s; make one of your own');
      }
      await site.content.checkDraft(claims.collection, { id: doc.id }, data, actor);
      unsaved.put(claims.nonce, claims.maker.userId, data, claims.expiresAt);
      return toMade(site, doc, token, { claims, serviceUrl });
    },
    show(site, token, include) {
      const { claims, doc } = open(site, token);
      const data = unsavedOf(claims);
      const { body } = site.content.get(claims.collection, { id: doc.id });
      if (!data && !include) return body;
      const saved = JSON.parse(body.toString()) as { data: Data };
      const shown = { ...saved, data: { ...saved.data, ...data } };
      const text = JSON.stringify(shown);
      if (!include) return Buffer.from(text);
      const included = site.content.included(claims.collection, include, [shown.data]);
      return Buffer.from(`${text.slice(0, -1)},"included":${included}}`);
    },
    documentOf(site, token) {
      const { claims, doc } = open(site, token);
      return { ...doc, data: { ...doc.data, ...unsavedOf(claims) } };
    },
  };
}

function ended(): ServiceError {
  const why =
    'its hour is over, its document or its maker is gone, or its text was not saved and had to make room for newer ones or was lost in a restart';
  return new ServiceError('not_found', `there is no such preview, or it has ended (${why}): make a new one`);
}
