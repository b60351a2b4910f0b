// Posts for the benchmark of builds, and the same posts as three programs read them: a site of this service, Hugo, and
// Eleventy. Each gets a layout with a header, neighbours, tags, lists of twenty, a feed and a sitemap.
import fs from 'node:fs';
import path from 'node:path';
import { openStore } from '../../src/store/store.ts';
import { createDocuments } from './documents.ts';

export interface BlogPost {
  slug: string;
  title: string;
  /** `2026-01-02`. */
  date: string;
  tags: string[];
  /** Markdown. */
  body: string;
}

/** Paragraphs, headings, a list, a quotation, code and links, some 1,600 characters. */
export function makePosts(count: number): BlogPost[] {
  const documents = createDocuments();
  return Array.from({ length: count }, (_, i) => {
    const { title, date, body, tags } = documents.data(i);
    const words = body.split(' ');
    const take = (n: number): string => words.splice(0, n).join(' ');
    const parts = [
      take(40),
      `## ${take(4)}`,
      `${take(20)} **${take(3)}** ${take(10)} [${take(2)}](https://example.com/${i}) ${take(20)}`,
      `- ${take(6)}\n- ${take(6)}\n- \`${take(2)}\``,
      `> ${take(15)}`,
      `## ${take(3)}`,
      `${take(60)} *${take(2)}* ${take(20)}`,
      `\`\`\`\n${take(8)}\n${take(8)}\n\`\`\``,
      words.join(' '),
    ];
    return { slug: documents.slug(i), title, date, tags, body: parts.join('\n\n') };
  });
}

/** The posts of the Rust blog; undefined if the corpus is not beside this repository. */
export function readRustBlog(folder: string): BlogPost[] | undefined {
  if (!fs.existsSync(folder)) return undefined;
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort();
  return files.flatMap((file, i) => {
    const [, front = '', body] =
      /^\+\+\+\n([\s\S]*?)\n\+\+\+\n([\s\S]*)$/.exec(fs.readFileSync(path.join(folder, file), 'utf8')) ?? [];
    if (body === undefined) return [];
    const title = /^title = "(.*)"$/m.exec(front)?.[1]?.replaceAll('\\"', "'") ?? file;
    const [, year = '2020', month = '01', day = '01'] = /^path = "[^"]*?(\d{4})\/(\d\d)\/(\d\d)/m.exec(front) ?? [];
    return { slug: `post-${i}`, title, date: `${year}-${month}-${day}`, tags: [`t${i % 20}`], body };
  });
}

const FRONT = ({ title, date, tags }: BlogPost): string =>
  `---\ntitle: ${JSON.stringify(title)}\ndate: ${date}\ntags: ${JSON.stringify(tags)}\n---\n\n`;

/** A data folder and a configuration. One commit for a thousand posts. */
export async function plantPosts(folder: string, posts: readonly BlogPost[]): Promise<void> {
  const config = {
    collections: [
      {
        name: 'posts',
        urlPrefix: '/posts',
        fields: [
          { name: 'title', type: 'text' },
          { name: 'date', type: 'date' },
          { name: 'body', type: 'richtext' },
          { name: 'tags', type: 'tags' },
        ],
      },
    ],
    build: { baseUrl: 'https://example.com', siteName: 'Bench' },
  };
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'cms.config.json'), JSON.stringify(config));
  for (let from = 0; from < posts.length; from += 1000) await commitPosts(folder, posts.slice(from, from + 1000), from);
}

export async function commitPosts(folder: string, posts: readonly BlogPost[], from: number): Promise<void> {
  const store = openStore({ folder: path.join(folder, 'data', 'sites', 'default') });
  const files = posts.map(({ slug, ...data }, i) => {
    const at = new Date(Date.UTC(2020, 0, 1) + (from + i) * 60_000).toISOString();
    const id = `A${(from + i).toString(36).padStart(11, '0')}`;
    const doc = { id, slug, collection: 'posts', status: 'published', createdAt: at, updatedAt: at, data };
    return { path: `content/posts/${slug}.json`, content: Buffer.from(`${JSON.stringify(doc, null, 2)}\n`) };
  });
  const author = { name: 'Bench', email: 'bench@localhost' };
  const nothing = (): void => undefined;
  const draft = { files, author, at: Date.now(), subject: 'content: plant', trailers: ['Event: content.imported'] };
  await store.log.append({ ...draft, apply: nothing, undo: nothing }).durable;
  await store.close();
}

export function writeHugo(folder: string, posts: readonly BlogPost[]): void {
  const page = (main: string): string => `{{ define "main" }}${main}{{ end }}`;
  const date = '<time datetime="{{ .Date.Format "2006-01-02" }}">{{ .Date.Format "January 2, 2006" }}</time>';
  const entry = `<article><h2><a href="{{ .RelPermalink }}">{{ .Title }}</a></h2>${date}<p>{{ .Summary }}</p></article>`;
  const files: Record<string, string> = {
    'config.toml':
      'baseURL = "https://example.com/"\ntitle = "Bench"\npaginate = 20\n[markup.highlight]\ncodeFences = false\n[markup.goldmark.renderer]\nunsafe = true\n',
    'layouts/_default/baseof.html': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title><meta name="description" content="{{ .Summary | plainify }}"><link rel="canonical" href="{{ .Permalink }}"></head><body><header><a href="/">{{ .Site.Title }}</a><nav><a href="/posts/">Posts</a></nav></header><main>{{ block "main" . }}{{ end }}</main><footer><a href="/index.xml">RSS</a></footer></body></html>`,
    'layouts/_default/single.html': page(
      `<article><h1>{{ .Title }}</h1>${date}{{ .Content }}<ul>{{ range .Params.tags }}<li><a href="/tags/{{ . | urlize }}/">{{ . }}</a></li>{{ end }}</ul></article><nav>{{ with .PrevInSection }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}{{ with .NextInSection }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}</nav>`,
    ),
    'layouts/_default/list.html': page(
      `<h1>{{ .Title }}</h1>{{ range .Paginator.Pages }}${entry}{{ end }}{{ with .Paginator.Prev }}<a href="{{ .URL }}">Newer</a>{{ end }}{{ with .Paginator.Next }}<a href="{{ .URL }}">Older</a>{{ end }}`,
    ),
  };
  for (const post of posts) files[`content/posts/${post.slug}.md`] = FRONT(post) + post.body;
  writeFiles(folder, files);
}

export function writeEleventy(folder: string, posts: readonly BlogPost[]): void {
  const entry =
    '<article><h2><a href="{{ post.url }}">{{ post.data.title }}</a></h2><time>{{ post.date | date: "%B %e, %Y" }}</time><p>{{ post.data.title }}</p></article>';
  const list = (front: string, items: string): string =>
    `---\nlayout: base.liquid\n${front}\n---\n<h1>Posts</h1>{% for post in ${items} %}${entry}{% endfor %}{% if pagination.href.previous %}<a href="{{ pagination.href.previous }}">Newer</a>{% endif %}{% if pagination.href.next %}<a href="{{ pagination.href.next }}">Older</a>{% endif %}`;
  writeFiles(folder, {
    'package.json': '{"type": "module"}',
    'eleventy.config.js':
      'export default (config) => {\n  config.addCollection("newest", (api) => api.getFilteredByGlob("in/posts/*.md").reverse());\n  return { dir: { input: "in" } };\n};\n',
    'in/_includes/base.liquid':
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title><meta name="description" content="{{ title }}"><link rel="canonical" href="https://example.com{{ page.url }}"></head><body><header><a href="/">Bench</a><nav><a href="/posts/">Posts</a></nav></header><main>{{ content }}</main><footer><a href="/feed.xml">RSS</a></footer></body></html>',
    'in/_includes/post.liquid':
      '---\nlayout: base.liquid\n---\n<article><h1>{{ title }}</h1><time>{{ page.date | date: "%B %e, %Y" }}</time>{{ content }}<ul>{% for tag in tags %}<li><a href="/tags/{{ tag | slugify }}/">{{ tag }}</a></li>{% endfor %}</ul></article>',
    'in/posts/posts.json': '{"layout": "post.liquid", "permalink": "/posts/{{ page.fileSlug }}/"}',
    'in/list.liquid': list('pagination:\n  data: collections.newest\n  size: 20', 'pagination.items'),
    'in/tags.liquid': list(
      'pagination:\n  data: collections\n  size: 1\n  alias: tag\n  filter: [all, newest]\npermalink: "/tags/{{ tag | slugify }}/"',
      'collections[tag]',
    ),
    'in/feed.liquid':
      '---\npermalink: /feed.xml\n---\n<rss version="2.0"><channel><title>Bench</title>{% for post in collections.newest limit: 20 %}<item><title>{{ post.data.title }}</title><link>https://example.com{{ post.url }}</link></item>{% endfor %}</channel></rss>',
    'in/sitemap.liquid':
      '---\npermalink: /sitemap.xml\n---\n<urlset>{% for post in collections.newest %}<url><loc>https://example.com{{ post.url }}</loc></url>{% endfor %}</urlset>',
    ...Object.fromEntries(
      posts.map((post) => [
        `in/posts/${post.slug}.md`,
        `${FRONT(post)}{% raw %}\n${post.body.replaceAll('{% endraw %}', '')}\n{% endraw %}`,
      ]),
    ),
  });
}

function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(folder, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
  }
}
