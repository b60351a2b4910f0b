// A beginning, with everything that a site needs and nothing that has to be thrown away: pages below pages, posts, one
// document of settings, a form. Each key that can be left out says what it is for.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en'],

  build: {
    siteName: 'Boilerplate',
    // The address of the site. Sitemap, feed and link previews need it.
    baseUrl: 'https://example.com',
    rss: { title: 'Boilerplate', collections: ['posts'] },
    // Search engines yes, crawlers that train models no.
    robots: 'balanced',
  },

  collections: [
    {
      name: 'pages',
      label: 'Pages',
      kind: 'page',
      urlPrefix: '/',
      // A page may lie below another one: /guide/install/
      parentField: 'parent',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true, maxLength: 120 },
        { name: 'description', type: 'textarea', label: 'Description', maxLength: 200 },
        { name: 'parent', type: 'relation', label: 'Below', collection: 'pages' },
        { name: 'image', type: 'image', label: 'Picture' },
        { name: 'body', type: 'richtext', label: 'Text' },
        { name: 'sections', type: 'blocks', label: 'Sections' },
      ],
    },
    {
      name: 'posts',
      label: 'Posts',
      description: 'The newest first.',
      kind: 'page',
      urlPrefix: '/posts',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true, maxLength: 120 },
        { name: 'date', type: 'date', label: 'Date' },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 200 },
        { name: 'tags', type: 'tags', label: 'Tags' },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'settings',
      label: 'Settings',
      // One document, which every page can read as globals.settings.
      kind: 'global',
      fields: [
        { name: 'title', type: 'text', label: 'Name of the site', required: true },
        { name: 'footer', type: 'text', label: 'Last line of each page' },
      ],
    },
  ],

  blocks: [
    {
      name: 'note',
      label: 'Note',
      fields: [
        { name: 'heading', type: 'text', label: 'Heading' },
        { name: 'text', type: 'richtext', label: 'Text' },
      ],
    },
  ],

  forms: [
    {
      name: 'contact',
      label: 'Contact',
      fields: [
        { name: 'name', label: 'Name', type: 'text', required: true },
        { name: 'email', label: 'E-mail', type: 'email', required: true },
        { name: 'message', label: 'Message', type: 'textarea', required: true },
      ],
      successMessage: 'Thank you.',
    },
  ],
});
