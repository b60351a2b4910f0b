// Tools that change what is public: all of them need content:publish.
import { CreateDocumentBody } from '../content/input.ts';
import { invalid } from '../lib/errors.ts';
import { CHANGES, defineTool, input, present } from './define.ts';
import { getSlug, matching } from './documents-write.ts';
import { Collection, IfMatch, Slug } from './input.ts';
import { WrittenOutput } from './output.ts';
import type { Tool, ToolCaller } from './tool.ts';
import type { ToolSite } from './tool-site.ts';
import { carefulActor } from './writer.ts';

const PUBLISH = ['content:publish'] as const;
const { publishAt, unpublishAt } = CreateDocumentBody.shape;
const Target = { collection: Collection, slug: Slug, ifMatch: IfMatch };

interface Named {
  collection: string;
  slug: string;
  ifMatch?: string | undefined;
}

type PublicationChange = { status: 'published' | 'draft' } | { publishAt?: string | null; unpublishAt?: string | null };

export function publishingTools(site: ToolSite): Tool[] {
  async function change(target: Named, to: PublicationChange, caller: ToolCaller): Promise<Record<string, unknown>> {
    const { slug } = getSlug(site, target.collection, target.slug);
    const { body, etag, warnings } = await site.content.update(
      target.collection,
      { slug },
      to,
      carefulActor(caller),
      matching(target.ifMatch),
    );
    return { document: JSON.parse(String(body)), etag, warnings };
  }

  return [
    defineTool({
      name: 'publish_document',
      title: 'Publish document',
      description: 'Makes a document public now.',
      input: input(Target),
      output: WrittenOutput,
      permissions: PUBLISH,
      effect: 'publish',
      reads: 'others',
      annotations: CHANGES,
      run: (target, caller) => change(target, { status: 'published' }, caller),
    }),
    defineTool({
      name: 'unpublish_document',
      title: 'Unpublish document',
      description: 'Makes a public document a draft again.',
      input: input(Target),
      output: WrittenOutput,
      permissions: PUBLISH,
      effect: 'unpublish',
      reads: 'others',
      annotations: CHANGES,
      run: (target, caller) => change(target, { status: 'draft' }, caller),
    }),
    defineTool({
      name: 'schedule_document',
      title: 'Schedule document',
      description: 'Sets when a document is published or unpublished by itself; null clears a time.',
      input: input({ ...Target, publishAt, unpublishAt }),
      output: WrittenOutput,
      permissions: PUBLISH,
      effect: 'schedule',
      reads: 'others',
      annotations: CHANGES,
      async run({ publishAt: from, unpublishAt: to, ...target }, caller) {
        if (from === undefined && to === undefined) {
          throw invalid([{ path: 'publishAt', message: 'is required, unless unpublishAt is given' }]);
        }
        return change(target, present({ publishAt: from, unpublishAt: to }), caller);
      },
    }),
  ];
}
