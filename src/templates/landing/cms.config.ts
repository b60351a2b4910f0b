// A product's site: one long page made of sections, short updates, and a waiting list.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en'],
  build: {
    siteName: 'Tern',
    baseUrl: 'https://tern.example',
    rss: { title: 'Tern updates', collections: ['updates'] },
  },
  collections: [
    {
      name: 'pages',
      label: 'Pages',
      kind: 'page',
      urlPrefix: '/',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'description', type: 'textarea', label: 'Description', maxLength: 200 },
        { name: 'sections', type: 'blocks', label: 'Sections' },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'updates',
      label: 'Updates',
      description: 'What changed in Tern, in the order in which it happened.',
      kind: 'page',
      urlPrefix: '/updates',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'date', type: 'date', label: 'Date' },
        { name: 'version', type: 'text', label: 'Version' },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 240 },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'product',
      label: 'Product',
      description: 'What stands on every page.',
      kind: 'global',
      fields: [
        { name: 'title', type: 'text', label: 'Name', required: true },
        { name: 'tagline', type: 'text', label: 'Tagline' },
        {
          name: 'links',
          type: 'array',
          label: 'Navigation',
          fields: [
            { name: 'label', type: 'text', required: true },
            { name: 'url', type: 'text', required: true },
          ],
        },
        { name: 'small', type: 'text', label: 'Small print' },
      ],
    },
  ],
  blocks: [
    {
      name: 'hero',
      label: 'Opening',
      fields: [
        { name: 'heading', type: 'text', label: 'Heading' },
        { name: 'text', type: 'textarea', label: 'Text' },
        { name: 'action', type: 'text', label: 'Button' },
        { name: 'target', type: 'text', label: 'Where it leads' },
        { name: 'picture', type: 'image', label: 'Picture' },
      ],
    },
    {
      name: 'features',
      label: 'Features',
      fields: [
        { name: 'heading', type: 'text', label: 'Heading' },
        {
          name: 'items',
          type: 'array',
          label: 'Features',
          fields: [
            { name: 'title', type: 'text', required: true },
            { name: 'text', type: 'textarea' },
            { name: 'picture', type: 'image' },
          ],
        },
      ],
    },
    {
      name: 'steps',
      label: 'Steps',
      fields: [
        { name: 'heading', type: 'text', label: 'Heading' },
        {
          name: 'items',
          type: 'array',
          label: 'Steps',
          fields: [
            { name: 'title', type: 'text', required: true },
            { name: 'text', type: 'textarea' },
          ],
        },
      ],
    },
    {
      name: 'quote',
      label: 'Quotation',
      fields: [
        { name: 'text', type: 'textarea', label: 'Words' },
        { name: 'who', type: 'text', label: 'Whose' },
      ],
    },
    {
      name: 'prices',
      label: 'Prices',
      fields: [
        { name: 'heading', type: 'text', label: 'Heading' },
        {
          name: 'plans',
          type: 'array',
          label: 'Plans',
          fields: [
            { name: 'name', type: 'text', required: true },
            { name: 'price', type: 'text' },
            { name: 'per', type: 'text' },
            { name: 'points', type: 'array', label: 'What is in it' },
            { name: 'featured', type: 'boolean' },
          ],
        },
      ],
    },
    {
      name: 'questions',
      label: 'Questions',
      fields: [
        { name: 'heading', type: 'text', label: 'Heading' },
        {
          name: 'items',
          type: 'array',
          label: 'Questions',
          fields: [
            { name: 'question', type: 'text', required: true },
            { name: 'answer', type: 'richtext' },
          ],
        },
      ],
    },
    { name: 'signup', label: 'Sign-up', fields: [{ name: 'heading', type: 'text' }, { name: 'text', type: 'textarea' }] },
  ],
  forms: [
    {
      name: 'waitlist',
      label: 'Waiting list',
      fields: [
        { name: 'email', label: 'Your e-mail address', type: 'email', required: true },
        { name: 'site', label: 'Where do you count?', type: 'text', placeholder: 'An estuary, a garden, a ferry' },
      ],
      successMessage: 'Thank you. We write once, when your place is ready.',
    },
  ],
});
