// A form for other people's pages: the script that draws it there, and a page of ours that shows the form.
import { type Route, route } from '../http/route.ts';
import { notFound } from '../lib/errors.ts';
import { renderFormPage } from './pages.ts';
import type { FormsService } from './service.ts';
import { createWidgets } from './widget.ts';

/** What these routes need of a request's site. */
export interface WidgetSite {
  config: { defaultLocale?: string | undefined };
  forms: Pick<FormsService, 'get' | 'find' | 'challengeKey'>;
}

const TAG = 'Forms';
const NO_FORM = { description: 'No such form' };
/** How long browsers cache the script. A change of the definition is in the schema, not in the script. */
const CACHE = 'public, max-age=300';

export function widgetRoutes(): Route<WidgetSite>[] {
  const widgetOf = createWidgets();
  return [
    route<WidgetSite>({
      method: 'get',
      path: '/api/forms/{name}/widget.js',
      summary: 'The script that draws the form into the element `cms-form-<name>` of the page that loads it',
      tag: TAG,
      allow: 'public',
      missing: ({ name = '' }) => notFound(`form "${name}"`),
      has: ({ forms }, { name = '' }) => forms.find(name) !== undefined,
      answers: {
        200: { description: 'About 4 KB, without dependencies', contentType: 'text/javascript' },
        404: NO_FORM,
      },
      handle({ site, params }) {
        const { script, etag } = widgetOf(site.forms.get(params.name ?? ''));
        return {
          type: 'text/javascript; charset=utf-8',
          etag,
          // Loading it as a module or with `integrity` needs CORS; anybody may read the script.
          headers: { 'Cache-Control': CACHE, 'Access-Control-Allow-Origin': '*' },
          body: script,
        };
      },
    }),
    route<WidgetSite>({
      method: 'get',
      path: '/api/forms/{name}',
      summary: 'The form on a page of its own, which works without JavaScript',
      tag: TAG,
      allow: 'public',
      missing: ({ name = '' }) => notFound(`form "${name}"`),
      has: ({ forms }, { name = '' }) => forms.find(name) !== undefined,
      answers: { 200: { description: 'The page', contentType: 'text/html' }, 404: NO_FORM },
      handle({ site, params }) {
        const form = site.forms.get(params.name ?? '');
        const turnstileKey = site.forms.challengeKey(form);
        const page = renderFormPage(form, { lang: site.config.defaultLocale, turnstileKey });
        return { type: 'text/html; charset=utf-8', headers: page.headers, body: page.html };
      },
    }),
  ];
}
